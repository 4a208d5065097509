import { z } from "zod"
import { allowSession } from "@/lib/access/permissions"
import { projectMissing, sessionRequired } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import * as lifecycle from "@/lib/projects/lifecycle-store"
import { Project } from "@/lib/projects/schema"

export const deleteProject = endpoint({
  route: "DELETE /v1/projects/{projectId}",
  operationId: "deleteProject",
  tag: "Projects",
  summary: "Delete project",
  description:
    "For signed-in owners, with the name of the project as confirmation. For 7 days, until `removedAt`, an owner can restore it; nobody else can open it. Its API keys are refused within a second and its streams end, nothing is sent, webhooks are not called and domains are not checked. Email that was accepted and is not sent yet is kept and continues after a restore, unless its deadline has passed. Then the project is removed with everything it owns, and its slug and domains are free again. The organization keeps its audit log.",
  access: allowSession("projects:write", "owner"),
  bucket: null,
  query: { name: z.string().max(100).describe("The name of the project, exactly, as confirmation.") },
  answers: [200, Project],
  problems: [requestInvalid, projectMissing, sessionRequired],
  additive: true,
  example: { query: { name: "Shop" } },

  async run(scope, { query }) {
    if (query.name.trim() !== scope.project.name)
      throw requestInvalid("The name is not the project's, so nothing was deleted.", {
        errors: [{ pointer: "query/name", detail: "Must be the name of the project, exactly." }],
      })
    const project = await lifecycle.remove(scope)
    if (!project) throw projectMissing()
    return project
  },
})
