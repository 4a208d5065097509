import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { WebhookHealthDetail } from "@/lib/webhooks/health-schema"
import { healthDetail } from "@/lib/webhooks/health-store"
import { webhookMissing } from "@/lib/webhooks/problems"
import { findWebhook } from "@/lib/webhooks/store"

export const getWebhookHealth = endpoint({
  route: "GET /v1/projects/{projectId}/webhooks/{endpointId}/health",
  operationId: "getWebhookHealth",
  tag: "Webhooks",
  summary: "Get webhook health",
  description:
    "How the deliveries of the last 24 hours went, by hour, and how fast the endpoint answers. A delivery counts for the hour in which it was created.",
  access: allow("webhooks:read"),
  bucket: buckets.webhooks,
  path: { endpointId: { prefix: "whk", missing: webhookMissing } },
  answers: [200, WebhookHealthDetail],
  problems: [projectMissing, webhookMissing],
  additive: true,

  async run(scope, { path }) {
    const [webhook, health] = await Promise.all([
      findWebhook(scope, path.endpointId),
      healthDetail(scope, path.endpointId),
    ])
    if (!webhook || !health) throw webhookMissing()
    return health
  },
})
