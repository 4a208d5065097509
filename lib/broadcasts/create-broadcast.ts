import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { checkBroadcast, checkSender } from "@/lib/broadcasts/check-broadcast"
import { entryText, wireOf } from "@/lib/broadcasts/content"
import { broadcastMissing } from "@/lib/broadcasts/problems"
import { draftsMax, openMax, type BroadcastStatus } from "@/lib/broadcasts/rules"
import { Broadcast, NewBroadcast } from "@/lib/broadcasts/schema"
import * as broadcasts from "@/lib/broadcasts/store"
import { authorOf, headerOf } from "@/lib/emails/message-rows"
import { domainNotVerified, projectSuspended } from "@/lib/emails/problems"
import { sendBytesMax } from "@/lib/emails/send-email"
import { endpoint, Reply } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import { newId } from "@/lib/platform/ids"
import { fixedLimitReached, limitReached } from "@/lib/projects/schema"

export const createBroadcast = endpoint({
  route: "POST /v1/projects/{projectId}/broadcasts",
  operationId: "createBroadcast",
  tag: "Broadcasts",
  summary: "Create broadcast",
  description: `One message to any number of people: the members of segments and topics, contacts and addresses, each of them once. The response is sent once the broadcast is stored; a worker then sends it, and \`GET\` shows its progress.

**Recipients.** Members of a segment, contacts who opted in to a topic themselves, and the contacts and addresses in \`to\`. Those who are unsubscribed, suppressed or, with a topic, not subscribed to that topic are excluded and counted by reason. People who join before the worker reaches them get it; people who leave before then do not. Each email is a separate send, counts once toward the daily quota, and always carries the unsubscribe link and headers.

**Rate.** Half of the project's allowance is left for other email. While other email waits, all broadcasts together use at most half of the project's rate. When the daily quota is used up, the broadcast waits for the next day, and \`waiting\` says so.

**Automatic pause.** From 500 emails on, a broadcast is \`paused\` if more than 5 % of its emails bounce or more than 0.3 % of those delivered cause complaints, and the owners get an email. It also pauses if the project is suspended or the domain of \`from\` is no longer verified.

**Idempotency.** A request with an \`idempotencyKey\` that created a broadcast before returns 202 with that broadcast and the header \`Idempotent-Replayed: true\`. The header \`Idempotency-Key\` is not read. If a worker crashes, no recipient is skipped and none gets a second email.

A project has at most ${openMax} broadcasts that have not ended, and ${draftsMax} drafts.`,
  access: allow("emails:send"),
  bucket: buckets.emailSend,
  idempotent: true,
  strictQuery: true,
  body: NewBroadcast,
  bodyBytesMax: sendBytesMax,
  answers: [202, Broadcast],
  location: "/v1/projects/{projectId}/broadcasts/{id}",
  problems: [
    ...[requestInvalid, projectMissing, broadcastMissing, limitReached],
    ...[domainNotVerified, projectSuspended],
  ],
  additive: true,
  example: {
    body: {
      from: "Acme <news@acme.example>",
      to: ["seg_01k9q3f7c2e8m9v4x6y8z0a1b3"],
      subject: "What is new in November",
      html: "<p>Three things are new this month.</p>",
    },
  },

  async run(scope, { body }, { clock }) {
    const { to, scheduledAt = null, draft, idempotencyKey = null, ...content } = body
    const known = idempotencyKey === null ? null : await broadcasts.findByKey(scope, idempotencyKey)
    if (known) return replay(known)
    const topicId = await checkBroadcast(scope, { content, to, scheduledAt }, clock.now())
    if (!draft) await checkSender(scope, content.from.domain)
    const status: BroadcastStatus = draft ? "draft" : scheduledAt ? "scheduled" : "preparing"
    const id = newId()
    const { subject, testMode, from } = content
    const added = await broadcasts.addBroadcast(scope, {
      ...{ id, status, idempotencyKey, scheduledAt, topicId, subject, testMode, fromHeader: headerOf(from) },
      ...{ entries: to.map(entryText), content: wireOf(content), ...authorOf(scope) },
    })
    if (added === "full") throw fullOf(status)
    const made = added === "added" ? await broadcasts.findBroadcast(scope, id) : null
    if (made) return made
    // Another request with the key was faster.
    const first = idempotencyKey === null ? null : await broadcasts.findByKey(scope, idempotencyKey)
    if (!first) throw broadcastMissing()
    return replay(first)
  },
})

function fullOf(status: BroadcastStatus) {
  return status === "draft"
    ? fixedLimitReached("drafts of broadcasts", draftsMax)
    : fixedLimitReached("broadcasts that have not ended", openMax)
}

function replay(value: Broadcast) {
  return new Reply(202, { value, headers: { "Idempotent-Replayed": "true" } })
}
