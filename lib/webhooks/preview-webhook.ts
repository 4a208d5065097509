import { setImmediate } from "node:timers/promises"
import type { z } from "zod"
import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import { payloadOf, shaped, webhookTypeOf } from "@/lib/webhooks/payload"
import { PreviewedWebhook, WebhookPreview } from "@/lib/webhooks/preview-schema"
import { shapingFaults } from "@/lib/webhooks/rules"
import { recentEvents } from "@/lib/webhooks/recent-events-store"

export const previewWebhook = endpoint({
  route: "POST /v1/projects/{projectId}/webhooks/preview",
  operationId: "previewWebhook",
  tag: "Webhooks",
  summary: "Preview webhook on past events",
  description:
    "What a webhook with these filters and transformations would have sent for past events of the project: up to three of each type among the last 500 events, newest first, each with the body that would be sent, or the filter that excludes it. Nothing is stored or sent.",
  access: allow("webhooks:write"),
  bucket: buckets.webhooks,
  body: PreviewedWebhook,
  answers: [200, WebhookPreview],
  problems: [requestInvalid, projectMissing],
  additive: true,

  async run(scope, { body }) {
    const found = await recentEvents(scope, new Set(body.events))
    const data: z.output<typeof WebhookPreview>["data"] = []
    for (const event of found) {
      const type = webhookTypeOf(event)
      if (!type) continue
      const payload = payloadOf(event, type)
      const { failing, body: sent, fault } = shaped(payload, body)
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
      // The events are many; other requests of this process wait for each of them alone.
      await setImmediate()
    }
    return { data }
  },
})
