import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { parseAddress } from "@/lib/addresses/address"
import { endpoint } from "@/lib/platform/http/endpoint"
import { suppressionMissing } from "@/lib/suppressions/problems"
import * as suppressions from "@/lib/suppressions/store"

export const removeSuppression = endpoint({
  route: "DELETE /v1/projects/{projectId}/suppressions/{email}",
  operationId: "removeSuppression",
  tag: "Suppressions",
  summary: "Unsuppress one address",
  description:
    "Allows sends to the address again. Removing the reason `unsubscribe` also ends the global unsubscribe of the contact with this address: do this only if the person asked for it. If the address is listed for another reason and has also unsubscribed, that reason is removed and the unsubscribe stays on the list until it is removed too.",
  access: allow("suppressions:write"),
  bucket: buckets.suppressions,
  answers: [204],
  problems: [projectMissing, suppressionMissing],
  example: { path: { email: "ada@lovelace.example" } },

  async run(scope, { path }) {
    const parsed = parseAddress(path.email)
    if (!parsed.ok || !(await suppressions.remove(scope, parsed.canonical))) throw suppressionMissing()
  },
})
