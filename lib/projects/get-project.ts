import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { Project } from "@/lib/projects/schema"
import * as projects from "@/lib/projects/store"

export const getProject = endpoint({
  route: "GET /v1/projects/{projectId}",
  operationId: "getProject",
  tag: "Projects",
  summary: "Get project",
  description: "One project with its limits and default tracking settings.",
  access: allow("projects:read"),
  bucket: buckets.projects,
  answers: [200, Project],
  problems: [projectMissing],

  async run(scope) {
    const project = await projects.findProject(scope)
    if (!project) throw projectMissing()
    return project
  },
})
