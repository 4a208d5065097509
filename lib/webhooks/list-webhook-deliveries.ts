import { z } from "zod"
import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { page, pageQuery } from "@/lib/platform/http/paging"
import { id, timestamp } from "@/lib/platform/schema"
import { deliveryStatuses, WebhookDeliveryPage } from "@/lib/webhooks/delivery-schema"
import * as deliveries from "@/lib/webhooks/delivery-store"
import { webhookMissing } from "@/lib/webhooks/problems"

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
