import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { checkBroadcast, checkSender } from "@/lib/broadcasts/check-broadcast"
import { entryText, wireOf } from "@/lib/broadcasts/content"
import { broadcastMissing, statusConflict } from "@/lib/broadcasts/problems"
import { nextStatus, type BroadcastStatus } from "@/lib/broadcasts/rules"
import { Broadcast, BroadcastChange, NewBroadcast } from "@/lib/broadcasts/schema"
import * as broadcasts from "@/lib/broadcasts/store"
import { headerOf } from "@/lib/emails/message-rows"
import { domainNotVerified, projectSuspended } from "@/lib/emails/problems"
import { sendBytesMax } from "@/lib/emails/send-email"
import { endpoint } from "@/lib/platform/http/endpoint"
import { parseBody } from "@/lib/platform/http/perform"
import { requestInvalid } from "@/lib/platform/http/problems"

export const updateBroadcast = endpoint({
  route: "PATCH /v1/projects/{projectId}/broadcasts/{broadcastId}",
  operationId: "updateBroadcast",
  tag: "Broadcasts",
  summary: "Update broadcast",
  description:
    "For drafts and scheduled broadcasts. Omitted fields are unchanged, `null` clears a field (RFC 7396). A draft with `scheduledAt` still waits for `POST …/send`; `scheduledAt: null` makes a scheduled broadcast a draft.",
  access: allow("emails:send"),
  bucket: buckets.emailSend,
  path: { broadcastId: { prefix: "bc", missing: broadcastMissing } },
  body: BroadcastChange,
  bodyBytesMax: sendBytesMax,
  answers: [200, Broadcast],
  problems: [requestInvalid, projectMissing, broadcastMissing, statusConflict, domainNotVerified, projectSuspended],
  additive: true,
  example: { body: { subject: "What is new in December" } },

  async run(scope, { path, body }, { clock }) {
    const stored = await broadcasts.findStored(scope, path.broadcastId)
    if (!stored) throw broadcastMissing()
    const { scheduledAt, ...fields } = body
    const to = fields.to?.map(entryText)
    const status = statusAfter(stored.status, scheduledAt)
    if (!status) throw statusConflict("Only drafts and scheduled broadcasts can be changed.")
    const { to: entries, ...content } = checked(merged(stored.content, wireOf(fields)), to ?? stored.entries)
    const topicId = await checkBroadcast(scope, { content, to: entries, scheduledAt: scheduledAt ?? null }, clock.now())
    if (status === "scheduled") await checkSender(scope, content.from.domain)
    const { subject, testMode, from } = content
    const edited = await broadcasts.editBroadcast(
      scope,
      { id: path.broadcastId, from: stored.status, to: status },
      {
        ...{ subject, testMode, topicId, fromHeader: headerOf(from), content: wireOf(content) },
        entries: entries.map(entryText),
        ...(scheduledAt !== undefined && { scheduledAt }),
      },
    )
    const found = await broadcasts.findBroadcast(scope, path.broadcastId)
    if (!found) throw broadcastMissing()
    if (!edited) throw statusConflict()
    return found
  },
})

/** Only a scheduled broadcast changes its status with its time; null where it can no longer be changed. */
function statusAfter(status: BroadcastStatus, scheduledAt: Date | null | undefined): BroadcastStatus | null {
  const step = status === "scheduled" && scheduledAt === null ? "unschedule" : "edit"
  const next = nextStatus(status, step)
  return next === "deleted" ? null : next
}

/** Fields that the change leaves out stay as they are. */
function merged(stored: object, change: object): object {
  const given = Object.entries(change).filter(([name, value]) => value !== undefined && name !== "to")
  return { ...stored, ...Object.fromEntries(given) }
}

/** What it would be after the change, checked as a new one. @throws requestInvalid with every fault */
function checked(content: object, to: readonly string[]) {
  const given = Object.entries({ ...content, to }).filter(([, value]) => value !== null)
  const {
    draft: _draft,
    scheduledAt: _at,
    idempotencyKey: _key,
    ...whole
  } = parseBody(NewBroadcast, Object.fromEntries(given))
  return whole
}
