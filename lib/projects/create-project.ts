import { allowSession } from "@/lib/access/permissions"
import { sessionRequired } from "@/lib/access/problems"
import { organizationEndpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import { createProject as create } from "@/lib/projects/creation-store"
import { limitReached, slugTaken } from "@/lib/projects/problems"
import { NewProject, Project } from "@/lib/projects/schema"

export const createProject = organizationEndpoint({
  route: "POST /v1/projects",
  operationId: "createProject",
  tag: "Projects",
  summary: "Create project",
  description:
    "For signed-in owners and admins. The project starts with the default limits; its home region is permanent. An organization has at most 100 projects unless the operator raises that.",
  access: allowSession("projects:write", "owner", "admin"),
  bucket: null,
  body: NewProject,
  answers: [201, Project],
  location: "/v1/projects/{id}",
  problems: [requestInvalid, sessionRequired, limitReached, slugTaken],
  additive: true,
  example: { body: { name: "Shop", slug: "shop", region: "eu-west-1" } },

  async run(scope, { body }) {
    if (scope.principal.kind === "key") throw sessionRequired()
    const { organizationId = only(scope.organizationIds), ...project } = body
    if (!organizationId || !scope.organizationIds.includes(organizationId)) {
      throw requestInvalid(undefined, {
        errors: [{ pointer: "/organizationId", detail: "Must be an organization of which you are owner or admin." }],
      })
    }
    const created = await create(scope, scope.principal, { organizationId, ...project })
    if (!created)
      throw slugTaken(undefined, { errors: [{ pointer: "/slug", detail: "Another project has this slug." }] })
    return created
  },
})

function only(ids: readonly string[]): string | undefined {
  return ids.length === 1 ? ids[0] : undefined
}
