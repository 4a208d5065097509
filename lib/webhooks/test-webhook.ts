import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { WebhookDelivery } from "@/lib/webhooks/delivery-schema"
import * as deliveries from "@/lib/webhooks/delivery-store"
import { webhookMissing } from "@/lib/webhooks/problems"

export const testWebhook = endpoint({
  route: "POST /v1/projects/{projectId}/webhooks/{endpointId}/test",
  operationId: "testWebhook",
  tag: "Webhooks",
  summary: "Send synthetic test event",
  description:
    "Sends one signed `webhook.test` event with the webhook's transformations, whatever it subscribes to and even if it is disabled. The response is the delivery before its attempt: read it again for the result. A test is attempted once.",
  access: allow("webhooks:write"),
  bucket: buckets.webhooks,
  path: { endpointId: { prefix: "whk", missing: webhookMissing } },
  answers: [202, WebhookDelivery],
  problems: [projectMissing, webhookMissing],

  async run(scope, { path }) {
    const delivery = await deliveries.addTest(scope, path.endpointId)
    if (!delivery) throw webhookMissing()
    return delivery
  },
})
