import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid, serviceUnavailable } from "@/lib/platform/http/problems"
import { findSuppression } from "@/lib/suppressions/list-store"
import { NewSuppression, Suppression } from "@/lib/suppressions/schema"
import { addManually } from "@/lib/suppressions/store"

export const addSuppression = endpoint({
  route: "POST /v1/projects/{projectId}/suppressions",
  operationId: "addSuppression",
  tag: "Suppressions",
  summary: "Suppress one address",
  description:
    "The project sends nothing more to the address: to, cc and bcc are checked when an email is accepted and again right before it is sent. An address that is already on the list is returned unchanged, with its own reason.",
  access: allow("suppressions:write"),
  bucket: buckets.suppressions,
  body: NewSuppression,
  answers: [201, Suppression],
  location: "/v1/projects/{projectId}/suppressions/{email}",
  problems: [requestInvalid, projectMissing],
  example: { body: { email: "ada@lovelace.example" } },

  async run(scope, { body }) {
    const suppression = (await addManually(scope, body.email)) ?? (await findSuppression(scope, body.email))
    // Removed again at the same moment.
    if (!suppression) throw serviceUnavailable(undefined, { retryAfterSeconds: 1 })
    return suppression
  },
})
