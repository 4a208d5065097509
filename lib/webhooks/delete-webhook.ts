import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { webhookMissing } from "@/lib/webhooks/problems"
import * as webhooks from "@/lib/webhooks/store"

export const deleteWebhook = endpoint({
  route: "DELETE /v1/projects/{projectId}/webhooks/{endpointId}",
  operationId: "deleteWebhook",
  tag: "Webhooks",
  summary: "Delete webhook",
  description:
    "Permanent; also deletes its secret and delivery history. A request in progress finishes; nothing is retried.",
  access: allow("webhooks:write"),
  bucket: buckets.webhooks,
  path: { endpointId: { prefix: "whk", missing: webhookMissing } },
  answers: [204],
  problems: [projectMissing, webhookMissing],

  async run(scope, { path }) {
    if (!(await webhooks.deleteWebhook(scope, path.endpointId))) throw webhookMissing()
  },
})
