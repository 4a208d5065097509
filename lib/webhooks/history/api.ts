import { z } from "zod"
import { addAudit } from "@/lib/access/audit/data"
import { buckets } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { formatNumber } from "@/lib/platform/format"
import { endpoint } from "@/lib/platform/http/endpoint"
import { page, pageQuery } from "@/lib/platform/http/paging"
import { requestInvalid } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId } from "@/lib/platform/ids"
import { id, timestamp } from "@/lib/platform/schema"
import * as webhooks from "@/lib/webhooks/data"
import * as deliveries from "@/lib/webhooks/history/data"
import { replayable, replayAll, replayDelivery, replayMax } from "@/lib/webhooks/history/data"
import {
  deliveryMissing,
  deliveryStatuses,
  ReplayedRange,
  ReplayRange,
  WebhookDelivery,
  WebhookDeliveryPage,
  webhookMissing,
} from "@/lib/webhooks/schema"

const defaultSize = 50

export const listWebhookDeliveries = endpoint({
  route: "GET /v1/projects/{projectId}/webhooks/{endpointId}/deliveries",
  operationId: "listWebhookDeliveries",
  tag: "Webhooks",
  summary: "Webhook delivery history",
  description: "Newest first, each with the result of its most recent attempt. Deliveries are kept for 90 days.",
  access: allow("webhooks:read"),
  bucket: buckets.webhooks,
  path: { endpointId: { prefix: "whk", missing: webhookMissing } },
  query: {
    ...pageQuery(defaultSize),
    status: z.enum(deliveryStatuses).optional().describe("Additive: only deliveries in this status."),
    since: timestamp.optional().describe("Additive: only deliveries that were created from this time on."),
    until: timestamp.optional().describe("Additive: only deliveries that were created up to this time."),
    before: id("whd").optional().describe("Additive: only deliveries that are older than this one."),
  },
  answers: [200, WebhookDeliveryPage],
  problems: [projectMissing, webhookMissing],

  async run(scope, { path, query }) {
    const found = await deliveries.listDeliveries(scope, path.endpointId, query)
    if (!found) throw webhookMissing()
    return page(query, found.data, found.total)
  },
})

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
    if (!delivery) throw (await webhooks.findWebhook(scope, path.endpointId)) ? deliveryMissing() : webhookMissing()
    return delivery
  },
})

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
    const webhook = await webhooks.findWebhook(scope, path.endpointId)
    if (!webhook) throw webhookMissing()
    if (!(await replayDelivery(scope, path.endpointId, path.deliveryId))) throw deliveryMissing()
    await auditReplay(scope, webhook, { deliveries: 1 })
  },
})

export const replayWebhookDeliveries = endpoint({
  route: "POST /v1/projects/{projectId}/webhooks/{endpointId}/replay",
  operationId: "replayWebhookDeliveries",
  tag: "Webhooks",
  summary: "Replay a range of webhook deliveries",
  description: `Sends the events of a range again, each once, with the same \`webhook-id\` and body: those that the endpoint has not accepted yet, or all. Events that are waiting for an attempt, and tests, are skipped. At most ${formatNumber(replayMax)} events; with \`dryRun\` they are only counted.`,
  access: allow("webhooks:write"),
  bucket: buckets.webhooks,
  strictQuery: true,
  path: { endpointId: { prefix: "whk", missing: webhookMissing } },
  body: ReplayRange,
  answers: [202, ReplayedRange],
  problems: [requestInvalid, projectMissing, webhookMissing],
  additive: true,
  example: { body: { since: "2026-11-22T09:00:00Z", dryRun: true } },

  async run(scope, { path, body }) {
    const webhook = await webhooks.findWebhook(scope, path.endpointId)
    if (!webhook) throw webhookMissing()
    const ids = await replayable(scope, path.endpointId, body)
    if (ids.length > replayMax) throw tooMany()
    if (body.dryRun || !ids.length) return { count: ids.length }
    await replayAll(scope, path.endpointId, ids)
    await auditReplay(scope, webhook, { deliveries: ids.length, since: body.since })
    return { count: ids.length }
  },
})

function auditReplay(scope: Scope, { id, name }: { id: string; name: string }, changes: Record<string, unknown>) {
  return addAudit(scope, { action: "webhook.deliveries_replayed", target: encodeId("whk", id), name, changes })
}

function tooMany() {
  const detail = `The range has more than ${formatNumber(replayMax)} events. Choose a shorter one.`
  return requestInvalid(`/since: ${detail}`, { errors: [{ pointer: "/since", detail }] })
}

export const webhookHistoryOperations = [
  listWebhookDeliveries,
  getWebhookDelivery,
  testWebhook,
  replayWebhookDelivery,
  replayWebhookDeliveries,
] as const
