import { buckets } from "@/lib/access/limits/bucket-table"
import { allowRoles } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import { slugTaken } from "@/lib/projects/problems"
import { limitsOverCeiling } from "@/lib/projects/rules"
import { Project, ProjectChange } from "@/lib/projects/schema"
import * as projects from "@/lib/projects/store"

export const updateProject = endpoint({
  route: "PATCH /v1/projects/{projectId}",
  operationId: "updateProject",
  tag: "Projects",
  summary: "Update project",
  description:
    "Omitted fields are unchanged; `limits` and `trackingSettings` are replaced whole; of `branding` (additive) each field by itself. A limit may be lowered, and raised again up to the operator's ceiling. The home region is permanent. A signed-in person needs the role owner or admin.",
  access: allowRoles("projects:write", "owner", "admin"),
  bucket: buckets.projects,
  body: ProjectChange,
  answers: [200, Project],
  problems: [requestInvalid, slugTaken, projectMissing],

  async run(scope, { body }) {
    const over = body.limits ? limitsOverCeiling(body.limits, await projects.ceilingsOf(scope)) : []
    if (over.length) throw requestInvalid("A limit passes its ceiling.", { errors: over })
    const project = await projects.updateProject(scope, body)
    if (!project)
      throw slugTaken(undefined, { errors: [{ pointer: "/slug", detail: "Another project has this slug." }] })
    return project
  },
})
