import type { z } from "zod"
import { buckets } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { page, pageQuery } from "@/lib/platform/http/paging"
import { requestInvalid } from "@/lib/platform/http/problems"
import { createShare } from "@/lib/platform/jobs/turns"
import { checkedUrl } from "@/lib/platform/outbound/target"
import { limitReached, reached } from "@/lib/projects/schema"
import * as webhooks from "@/lib/webhooks/data"
import { findWebhook, healthDetail, recentEvents, withHealth, newSecret } from "@/lib/webhooks/data"
import { payloadOf, shaped, type Shaped, type Shaping, webhookTypeOf } from "@/lib/webhooks/payload"
import { type Payload, shapingFaults } from "@/lib/webhooks/rules"
import { bytesOfSecret, textOfSecret } from "@/lib/webhooks/secret-rules"
import {
  CreatedWebhook,
  NewWebhook,
  PreviewedWebhook,
  Webhook,
  WebhookChange,
  WebhookHealthDetail,
  webhookMissing,
  WebhookPage,
  WebhookPreview,
} from "@/lib/webhooks/schema"

export const listWebhooks = endpoint({
  route: "GET /v1/projects/{projectId}/webhooks",
  operationId: "listWebhooks",
  tag: "Webhooks",
  summary: "List webhooks",
  description: "The webhooks of the project, newest first.",
  access: allow("webhooks:read"),
  bucket: buckets.webhooks,
  query: pageQuery(),
  answers: [200, WebhookPage],
  problems: [projectMissing],

  async run(scope, { query }) {
    const { data, total } = await webhooks.readWebhooks(scope, query)
    return page(query, await withHealth(scope, data), total)
  },
})

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

/** Of all previews of this process one works at a time, and rests for as long as it works: others' requests wait for neither. */
const previews = createShare()
const everybody = "all projects"
/** For all events of a preview, of which slow transformations leave the older ones out. */
const previewMs = 200

export const previewWebhook = endpoint({
  route: "POST /v1/projects/{projectId}/webhooks/preview",
  operationId: "previewWebhook",
  tag: "Webhooks",
  summary: "Preview webhook on past events",
  description: `What a webhook with these filters and transformations would have sent for past events of the project: up to three of each type among the last 500 events, newest first, each with the body that would be sent, or the filter that excludes it. Where these take longer than ${previewMs} ms together, older events are left out. Nothing is stored or sent.`,
  access: allow("webhooks:write"),
  bucket: buckets.webhooks,
  body: PreviewedWebhook,
  answers: [200, WebhookPreview],
  problems: [requestInvalid, projectMissing],
  additive: true,

  async run(scope, { body }) {
    const found = await recentEvents(scope, new Set(body.events))
    const data: z.output<typeof WebhookPreview>["data"] = []
    let workedMs = 0
    for (const event of found) {
      const type = webhookTypeOf(event)
      if (!type) continue
      const payload = payloadOf(event, type)
      const { failing, body: sent, fault, tookMs } = await previews(everybody, () => timed(payload, body))
      data.push({
        eventId: event.id,
        type,
        occurredAt: event.occurredAt,
        delivered: failing === -1 && !fault,
        payload: JSON.stringify(payload),
        body: sent,
        failingFilter: failing === -1 ? undefined : failing,
        failure: fault && shapingFaults[fault],
      })
      workedMs += tookMs
      if (workedMs > previewMs) break
    }
    return { data }
  },
})

function timed(payload: Payload, shaping: Shaping): Shaped & { tookMs: number } {
  const startedAt = performance.now()
  const result = shaped(payload, shaping)
  return { ...result, tookMs: performance.now() - startedAt }
}

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
    if (!(await webhooks.removeWebhook(scope, path.endpointId))) throw webhookMissing()
  },
})

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

export const webhookOperations = [
  listWebhooks,
  createWebhook,
  getWebhook,
  getWebhookHealth,
  previewWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
] as const
