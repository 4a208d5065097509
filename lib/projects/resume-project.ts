import { allowSession } from "@/lib/access/permissions"
import { projectMissing, sessionRequired } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import * as lifecycle from "@/lib/projects/lifecycle-store"
import { Project } from "@/lib/projects/schema"

export const resumeProject = endpoint({
  route: "POST /v1/projects/{projectId}/resume",
  operationId: "resumeProject",
  tag: "Projects",
  summary: "Resume project",
  description:
    "For signed-in owners. Lifts a suspension: sends are accepted again, and what waited is sent, except email that has passed its deadline, which fails. Resuming an active project changes nothing.",
  access: allowSession("projects:write", "owner"),
  bucket: null,
  strictQuery: true,
  answers: [200, Project],
  problems: [projectMissing, sessionRequired],
  additive: true,

  async run(scope) {
    const project = await lifecycle.resume(scope)
    if (!project) throw projectMissing()
    return project
  },
})
