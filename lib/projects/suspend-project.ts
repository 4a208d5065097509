import { allowSession } from "@/lib/access/permissions"
import { projectMissing, sessionRequired } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import * as lifecycle from "@/lib/projects/lifecycle-store"
import { ProjectSuspension } from "@/lib/projects/lifecycle-schema"
import { Project } from "@/lib/projects/schema"

export const suspendProject = endpoint({
  route: "POST /v1/projects/{projectId}/suspend",
  operationId: "suspendProject",
  tag: "Projects",
  summary: "Suspend project",
  description:
    "For signed-in owners. From then on sends are refused with `project.suspended`, and queued and scheduled email waits; a delivery attempt that is already under way finishes. Everything else works: pages, reads and changes, webhooks, and the unsubscribe links of delivered email. Its tracked links answer 410 within seconds, and opens and clicks are not recorded. Suspending a suspended project changes nothing.",
  access: allowSession("projects:write", "owner"),
  bucket: null,
  strictQuery: true,
  body: ProjectSuspension,
  answers: [200, Project],
  problems: [requestInvalid, projectMissing, sessionRequired],
  additive: true,
  example: { body: { reason: "Our list of addresses is being checked." } },

  async run(scope, { body }) {
    const project = await lifecycle.suspend(scope, body.reason)
    if (!project) throw projectMissing()
    return project
  },
})
