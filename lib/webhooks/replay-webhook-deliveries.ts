import { formatNumber } from "@/lib/platform/format"
import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import { ReplayedRange, ReplayRange } from "@/lib/webhooks/delivery-schema"
import { webhookMissing } from "@/lib/webhooks/problems"
import { replayable, replayAll, replayMax } from "@/lib/webhooks/replay-sql"
import * as webhooks from "@/lib/webhooks/store"

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
    if (!(await webhooks.findWebhook(scope, path.endpointId))) throw webhookMissing()
    const ids = await replayable(scope, path.endpointId, body)
    if (ids.length > replayMax) throw tooMany()
    if (!body.dryRun && ids.length) await replayAll(scope, path.endpointId, ids)
    return { count: ids.length }
  },
})

function tooMany() {
  const detail = `The range has more than ${formatNumber(replayMax)} events. Choose a shorter one.`
  return requestInvalid(`/since: ${detail}`, { errors: [{ pointer: "/since", detail }] })
}
