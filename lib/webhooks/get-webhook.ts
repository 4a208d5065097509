import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { withHealth } from "@/lib/webhooks/health-store"
import { webhookMissing } from "@/lib/webhooks/problems"
import { Webhook } from "@/lib/webhooks/schema"
import * as webhooks from "@/lib/webhooks/store"

export const getWebhook = endpoint({
  route: "GET /v1/projects/{projectId}/webhooks/{endpointId}",
  operationId: "getWebhook",
  tag: "Webhooks",
  summary: "Get webhook",
  description: "Without its secret, which is returned only by the operations that set it.",
  access: allow("webhooks:read"),
  bucket: buckets.webhooks,
  path: { endpointId: { prefix: "whk", missing: webhookMissing } },
  answers: [200, Webhook],
  problems: [projectMissing, webhookMissing],

  async run(scope, { path }) {
    const webhook = await webhooks.findWebhook(scope, path.endpointId)
    const [shown] = webhook ? await withHealth(scope, [webhook]) : []
    if (!shown) throw webhookMissing()
    return shown
  },
})
