import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import { limitReached, reached } from "@/lib/projects/schema"
import { CreatedWebhook, NewWebhook } from "@/lib/webhooks/schema"
import { newSecret } from "@/lib/webhooks/secret"
import { bytesOfSecret, textOfSecret } from "@/lib/webhooks/secret-rules"
import * as webhooks from "@/lib/webhooks/store"
import { checkedUrl } from "@/lib/webhooks/target"

export const createWebhook = endpoint({
  route: "POST /v1/projects/{projectId}/webhooks",
  operationId: "createWebhook",
  tag: "Webhooks",
  summary: "Register webhook",
  description:
    "Events of the subscribed types that pass all filters are sent to the URL as JSON in a POST request, signed as specified by [Standard Webhooks](https://www.standardwebhooks.com). The response contains the secret, which is never shown again.",
  access: allow("webhooks:write"),
  bucket: buckets.webhooks,
  body: NewWebhook,
  answers: [201, CreatedWebhook],
  location: "/v1/projects/{projectId}/webhooks/{id}",
  problems: [requestInvalid, limitReached, projectMissing],
  example: { body: { url: "https://hooks.example.com/mailroom", events: ["email.delivered", "email.bounced"] } },

  async run(scope, { body }, io) {
    const { host } = await checkedUrl(body.url, io.dns)
    const secret = body.secret === undefined ? newSecret(io.random) : textOfSecret(bytesOfSecret(body.secret))
    const events = [...new Set(body.events)]
    const webhook = await webhooks.addWebhook(scope, { ...body, name: body.name ?? host, events, secret })
    if ("limit" in webhook) throw reached("maxWebhooks", webhook.limit)
    return { ...webhook, secret }
  },
})
