import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { webhookMissing } from "@/lib/webhooks/problems"
import { CreatedWebhook } from "@/lib/webhooks/schema"
import { newSecret } from "@/lib/webhooks/secret"
import * as webhooks from "@/lib/webhooks/store"

export const rotateWebhookSecret = endpoint({
  route: "POST /v1/projects/{projectId}/webhooks/{endpointId}/rotate-secret",
  operationId: "rotateWebhookSecret",
  tag: "Webhooks",
  summary: "Rotate webhook secret",
  description:
    "Generates a new secret. The response contains it, and it is never shown again. For 24 hours, deliveries carry two signatures, the new secret's first, so that you can update your receivers without losing an event.",
  access: allow("webhooks:write"),
  bucket: buckets.webhooks,
  path: { endpointId: { prefix: "whk", missing: webhookMissing } },
  answers: [200, CreatedWebhook],
  problems: [projectMissing, webhookMissing],
  additive: true,

  async run(scope, { path }, io) {
    const secret = newSecret(io.random)
    const webhook = await webhooks.changeWebhook(scope, path.endpointId, { secret })
    if (!webhook) throw webhookMissing()
    return { ...webhook, secret }
  },
})
