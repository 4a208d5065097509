import type { z } from "zod"
import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import { createShare } from "@/lib/platform/http/share"
import { payloadOf, shaped, webhookTypeOf, type Shaped, type Shaping } from "@/lib/webhooks/payload"
import { PreviewedWebhook, WebhookPreview } from "@/lib/webhooks/preview-schema"
import { shapingFaults, type Payload } from "@/lib/webhooks/rules"
import { recentEvents } from "@/lib/webhooks/recent-events-store"

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
