import { buckets } from "@/lib/access/limits/bucket-table"
import { allowRoles } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import { limitsOf } from "@/lib/projects/limits-store"
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
    "Omitted fields are unchanged; `limits` and `trackingSettings` are replaced as a whole, `branding` (additive) field by field. A limit can be lowered, and raised up to the operator's ceiling. The home region is permanent. A signed-in user needs the role owner or admin.",
  access: allowRoles("projects:write", "owner", "admin"),
  bucket: buckets.projects,
  body: ProjectChange,
  answers: [200, Project],
  problems: [requestInvalid, slugTaken, projectMissing],
  example: { body: { name: "Shop" } },

  async run(scope, { body }) {
    if (body.limits) {
      const found = await limitsOf(scope)
      if (!found) throw projectMissing()
      const over = limitsOverCeiling(body.limits, found.ceilings)
      if (over.length) throw requestInvalid("A limit is above its ceiling.", { errors: over })
    }
    const project = await projects.updateProject(scope, body)
    if (!project)
      throw slugTaken(undefined, { errors: [{ pointer: "/slug", detail: "Another project has this slug." }] })
    return project
  },
})
