import { allowSession } from "@/lib/access/permissions"
import { projectMissing, sessionRequired } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import * as lifecycle from "@/lib/projects/lifecycle-store"
import { Project } from "@/lib/projects/schema"

export const restoreProject = endpoint({
  route: "POST /v1/projects/{projectId}/restore",
  operationId: "restoreProject",
  tag: "Projects",
  summary: "Restore project",
  description:
    "For signed-in owners, within 7 days after the deletion. The project is as it was: its API keys work within a second, email that waited is sent unless its deadline has passed, and a suspension is still in force. Restoring a project that is not deleted changes nothing.",
  access: allowSession("projects:write", "owner"),
  bucket: null,
  answers: [200, Project],
  problems: [projectMissing, sessionRequired],
  additive: true,
  reachesDeleted: true,

  async run(scope) {
    const project = await lifecycle.restore(scope)
    if (!project) throw projectMissing()
    return project
  },
})
