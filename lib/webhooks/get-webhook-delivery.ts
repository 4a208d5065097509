import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { WebhookDelivery } from "@/lib/webhooks/delivery-schema"
import * as deliveries from "@/lib/webhooks/delivery-store"
import { deliveryMissing, webhookMissing } from "@/lib/webhooks/problems"
import { findWebhook } from "@/lib/webhooks/store"

export const getWebhookDelivery = endpoint({
  route: "GET /v1/projects/{projectId}/webhooks/{endpointId}/deliveries/{deliveryId}",
  operationId: "getWebhookDelivery",
  tag: "Webhooks",
  summary: "Get webhook delivery",
  description: "With the payload as it is signed and sent.",
  access: allow("webhooks:read"),
  bucket: buckets.webhooks,
  path: {
    endpointId: { prefix: "whk", missing: webhookMissing },
    deliveryId: { prefix: "whd", missing: deliveryMissing },
  },
  answers: [200, WebhookDelivery],
  problems: [projectMissing, webhookMissing, deliveryMissing],

  async run(scope, { path }) {
    const delivery = await deliveries.findDelivery(scope, path.endpointId, path.deliveryId)
    if (!delivery) throw (await findWebhook(scope, path.endpointId)) ? deliveryMissing() : webhookMissing()
    return delivery
  },
})
