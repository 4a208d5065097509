import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { replayDelivery } from "@/lib/webhooks/delivery-store"
import { deliveryMissing, webhookMissing } from "@/lib/webhooks/problems"
import { findWebhook } from "@/lib/webhooks/store"

export const replayWebhookDelivery = endpoint({
  route: "POST /v1/projects/{projectId}/webhooks/{endpointId}/replay/{deliveryId}",
  operationId: "replayWebhookDelivery",
  tag: "Webhooks",
  summary: "Replay webhook delivery",
  description:
    "Sends the event again, with the same `webhook-id` and body and a new signature. A waiting delivery is attempted now; one that has ended is unchanged, and a new delivery is added. This also works while the webhook is disabled.",
  access: allow("webhooks:write"),
  bucket: buckets.webhooks,
  path: {
    endpointId: { prefix: "whk", missing: webhookMissing },
    deliveryId: { prefix: "whd", missing: deliveryMissing },
  },
  answers: [202],
  problems: [projectMissing, webhookMissing, deliveryMissing],

  async run(scope, { path }) {
    if (await replayDelivery(scope, path.endpointId, path.deliveryId)) return
    throw (await findWebhook(scope, path.endpointId)) ? deliveryMissing() : webhookMissing()
  },
})
