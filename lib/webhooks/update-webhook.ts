import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import { webhookMissing } from "@/lib/webhooks/problems"
import { Webhook, WebhookChange } from "@/lib/webhooks/schema"
import * as webhooks from "@/lib/webhooks/store"
import { checkedUrl } from "@/lib/webhooks/target"

export const updateWebhook = endpoint({
  route: "PATCH /v1/projects/{projectId}/webhooks/{endpointId}",
  operationId: "updateWebhook",
  tag: "Webhooks",
  summary: "Update webhook",
  description:
    "Omitted fields are unchanged; lists are replaced. A new secret is used at once, and deliveries are also signed with the previous one for 24 hours. Waiting deliveries go to the new URL.",
  access: allow("webhooks:write"),
  bucket: buckets.webhooks,
  path: { endpointId: { prefix: "whk", missing: webhookMissing } },
  body: WebhookChange,
  answers: [200, Webhook],
  problems: [requestInvalid, projectMissing, webhookMissing],
  example: { body: { name: "Orders" } },

  async run(scope, { path, body }, io) {
    if (body.url !== undefined) await checkedUrl(body.url, io.dns)
    const events = body.events && [...new Set(body.events)]
    const webhook = await webhooks.changeWebhook(scope, path.endpointId, { ...body, events })
    if (!webhook) throw webhookMissing()
    return webhook
  },
})
