import { z } from "zod"
import { buckets } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import { projectMissing, senderNotAllowed } from "@/lib/access/problems"
import { type BroadcastContent, type Entry, readContent } from "@/lib/broadcasts/content-schema"
import { contentFrom, writtenFrom, type BroadcastTemplate } from "@/lib/broadcasts/from-template"
import * as broadcasts from "@/lib/broadcasts/data"
import {
  entryText,
  findBroadcast,
  missingEntries,
  trackingColumns,
  wireOf,
  hasBroadcast,
  type StoredBroadcast,
  clicksByLink,
} from "@/lib/broadcasts/data"
import {
  type BroadcastStatus,
  broadcastStatuses,
  draftsMax,
  heldMax,
  nextStatus,
  openBroadcastsMax,
} from "@/lib/broadcasts/rules"
import {
  Broadcast,
  BroadcastChange,
  broadcastChanged,
  broadcastMissing,
  BroadcastPage,
  NewBroadcast,
  statusConflict,
  BroadcastLinks,
} from "@/lib/broadcasts/schema"
import { bytesOf } from "@/lib/emails/send/plan"
import { topicExists, addressHeader, authorOf } from "@/lib/emails/send/data"
import { domainNotVerified, projectSuspended } from "@/lib/emails/schema"
import { scheduleFault } from "@/lib/emails/schedule/rules"
import { simulatorFault } from "@/lib/emails/simulator"
import { sendBytesMax } from "@/lib/emails/send/api"
import { checkSender } from "@/lib/broadcasts/sending/api"
import { endpoint, Reply } from "@/lib/platform/http/endpoint"
import { formatNumber } from "@/lib/platform/format"
import { page, pageQuery } from "@/lib/platform/http/paging"
import type { FieldProblem } from "@/lib/platform/http/problem"
import { fieldsInvalid, requestInvalid } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"
import { decodeId, newId } from "@/lib/platform/ids"
import { refuseStorageFull } from "@/lib/projects/quota/data"
import { fixedLimitReached, limitReached, storageFull } from "@/lib/projects/schema"
import { createShare } from "@/lib/platform/jobs/turns"
import { givenByTemplate } from "@/lib/emails/send/schema"
import { parseBody } from "@/lib/platform/http/perform"

export const listBroadcasts = endpoint({
  route: "GET /v1/projects/{projectId}/broadcasts",
  operationId: "listBroadcasts",
  tag: "Broadcasts",
  summary: "List broadcasts",
  description: "The broadcasts of the project, newest first, without their content.",
  access: allow("emails:read"),
  bucket: null,
  query: { ...pageQuery(), status: z.enum(broadcastStatuses).optional() },
  answers: [200, BroadcastPage],
  problems: [projectMissing],
  additive: true,

  async run(scope, { query }) {
    const { data, total } = await broadcasts.readBroadcasts(scope, query.status, query)
    return page(query, data, total)
  },
})

export const createBroadcast = endpoint({
  route: "POST /v1/projects/{projectId}/broadcasts",
  operationId: "createBroadcast",
  tag: "Broadcasts",
  summary: "Create broadcast",
  description: `One message to any number of people: the members of segments and topics, contacts and addresses, each of them once. The response is sent once the broadcast is stored; a worker then sends it, and \`GET\` shows its progress.

**Recipients.** Members of a segment, contacts who opted in to a topic themselves, and the contacts and addresses in \`to\`. Those who are unsubscribed, suppressed or, with a topic, not subscribed to that topic are excluded and counted by reason. People who join before the worker reaches them get it; people who leave before then do not. Each email is a separate send, counts once toward the daily quota, and always carries the unsubscribe link and headers.

**Rate.** Half of the project's allowance is left for other email. While other email waits, all broadcasts together use at most half of the project's rate. When the daily quota is used up, the broadcast waits for the next day, and \`waiting\` says so. Email that waits because a destination or region is in trouble keeps nobody else from getting theirs; from ${formatNumber(heldMax)} such emails on, the broadcast waits and says so.

**Automatic pause.** From 500 emails on, a broadcast is \`paused\` if more than 5 % of its emails bounce or more than 0.3 % of those delivered cause complaints, and the owners get an email. It also pauses if the project is suspended, the domain of \`from\` is no longer verified, or its topic, or every segment and topic in \`to\`, was deleted, and if it could not begin within 72 hours of its \`scheduledAt\`.

**Idempotency.** A request with an \`idempotencyKey\` that created a broadcast before returns 202 with that broadcast and the header \`Idempotent-Replayed: true\`. The header \`Idempotency-Key\` is not read. If a worker crashes, no recipient is skipped and none gets a second email.

A project has at most ${openBroadcastsMax} broadcasts that have not ended, and ${draftsMax} drafts.`,
  access: allow("emails:send"),
  bucket: buckets.emailSend,
  idempotent: true,
  strictQuery: true,
  body: NewBroadcast,
  bodyBytesMax: sendBytesMax,
  answers: [202, Broadcast],
  location: "/v1/projects/{projectId}/broadcasts/{id}",
  problems: [
    ...[requestInvalid, projectMissing, broadcastMissing, limitReached, storageFull],
    ...[domainNotVerified, projectSuspended, senderNotAllowed],
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
    const { to, scheduledAt = null, draft, idempotencyKey = null, template: ref, placeholders, ...rest } = body
    const known = idempotencyKey === null ? null : await broadcasts.findByKey(scope, idempotencyKey)
    if (known) return replay(known)
    const { subject: own = "", ...others } = rest
    const { template, ...given } = ref
      ? await contentFrom(scope, ref)
      : { subject: own, template: placeholders ? await writtenFrom(scope, { ...others, subject: own }) : null }
    const content = { ...others, ...given }
    const topicId = await checkBroadcast(scope, { content, to, scheduledAt }, clock.now())
    await refuseStorageFull(scope, bytesOf(content))
    if (!draft) await checkSender(scope, content.from.domain)
    const status: BroadcastStatus = draft ? "draft" : scheduledAt ? "scheduled" : "preparing"
    const id = newId()
    const { subject, testMode, from } = content
    const added = await broadcasts.addBroadcast(scope, {
      ...{
        id,
        status,
        idempotencyKey,
        scheduledAt,
        topicId,
        template,
        subject,
        testMode,
        fromHeader: addressHeader(from),
      },
      ...{ entries: to.map(entryText), content: wireOf(content), ...trackingColumns(content), ...authorOf(scope) },
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
    : fixedLimitReached("broadcasts that have not ended", openBroadcastsMax)
}

function replay(value: Broadcast) {
  return new Reply(202, { value, headers: { "Idempotent-Replayed": "true" } })
}

export const getBroadcast = endpoint({
  route: "GET /v1/projects/{projectId}/broadcasts/{broadcastId}",
  operationId: "getBroadcast",
  tag: "Broadcasts",
  summary: "Get broadcast",
  description:
    "The content, the status and the counts: how many people were found, how many got an email, how many were excluded and why, and what happened to the emails. List its emails with `GET …/emails?broadcastId=`.",
  access: allow("emails:read"),
  bucket: null,
  path: { broadcastId: { prefix: "bc", missing: broadcastMissing } },
  answers: [200, Broadcast],
  problems: [projectMissing, broadcastMissing],
  additive: true,

  async run(scope, { path }) {
    const found = await findBroadcast(scope, path.broadcastId)
    if (!found) throw broadcastMissing()
    return found
  },
})

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
  problems: [
    ...[requestInvalid, projectMissing, broadcastMissing, statusConflict, broadcastChanged, storageFull],
    ...[domainNotVerified, projectSuspended, senderNotAllowed],
  ],
  additive: true,
  example: { body: { subject: "What is new in December" } },

  async run(scope, { path, body }, { clock }) {
    const stored = await broadcasts.findStored(scope, path.broadcastId)
    if (!stored) throw broadcastMissing()
    const { scheduledAt, unchangedSince } = body
    const { updatedAt } = stored
    if (unchangedSince && unchangedSince.getTime() !== updatedAt.getTime()) throw broadcastChanged()
    const status = statusAfter(stored.status, scheduledAt)
    if (!status) throw statusConflict("Only drafts and scheduled broadcasts can be changed.")
    const { content, template, entries } = await contentAfter(scope, stored, body)
    const topicId = await checkBroadcast(scope, { content, to: entries, scheduledAt: scheduledAt ?? null }, clock.now())
    await refuseStorageFull(scope, bytesOf(content) - bytesOf(readContent(stored.content)))
    if (status === "scheduled") await checkSender(scope, content.from.domain)
    const { subject, testMode, from } = content
    const edited = await broadcasts.editBroadcast(
      scope,
      { id: path.broadcastId, from: stored.status, to: status, updatedAt },
      {
        ...{ subject, testMode, topicId, fromHeader: addressHeader(from), content: wireOf(content) },
        ...trackingColumns(content),
        entries: entries.map(entryText),
        ...(scheduledAt !== undefined && { scheduledAt }),
        ...(template !== undefined && { template }),
      },
    )
    const found = await broadcasts.findBroadcast(scope, path.broadcastId)
    if (!found) throw broadcastMissing()
    if (!edited) throw found.status === stored.status ? broadcastChanged() : statusConflict()
    return found
  },
})

/** Only a scheduled broadcast changes its status with its time; null where it can no longer be changed. */
function statusAfter(status: BroadcastStatus, scheduledAt: Date | null | undefined): BroadcastStatus | null {
  const step = status === "scheduled" && scheduledAt === null ? "unschedule" : "edit"
  const next = nextStatus(status, step)
  return next === "deleted" ? null : next
}

export const deleteBroadcast = endpoint({
  route: "DELETE /v1/projects/{projectId}/broadcasts/{broadcastId}",
  operationId: "deleteBroadcast",
  tag: "Broadcasts",
  summary: "Delete draft",
  description: "Permanent, and only for drafts: a broadcast that was sent stays, with its results.",
  access: allow("emails:send"),
  bucket: buckets.emailSend,
  path: { broadcastId: { prefix: "bc", missing: broadcastMissing } },
  answers: [204],
  problems: [projectMissing, broadcastMissing, statusConflict],
  additive: true,

  async run(scope, { path }) {
    if (await broadcasts.deleteDraft(scope, path.broadcastId)) return
    if (await broadcasts.findBroadcast(scope, path.broadcastId)) throw statusConflict("Only a draft can be deleted.")
    throw broadcastMissing()
  },
})

export const duplicateBroadcast = endpoint({
  route: "POST /v1/projects/{projectId}/broadcasts/{broadcastId}/duplicate",
  operationId: "duplicateBroadcast",
  tag: "Broadcasts",
  summary: "Duplicate broadcast",
  description:
    "A new draft with its content, attachments, recipients and topic. Its time and its results are not copied. Attachments are kept as long as the bodies of emails, from when the broadcast has ended.",
  access: allow("emails:send"),
  bucket: buckets.emailSend,
  strictQuery: true,
  path: { broadcastId: { prefix: "bc", missing: broadcastMissing } },
  answers: [201, Broadcast],
  location: "/v1/projects/{projectId}/broadcasts/{id}",
  problems: [projectMissing, broadcastMissing, limitReached, storageFull],
  additive: true,

  async run(scope, { path }) {
    const stored = await broadcasts.findStored(scope, path.broadcastId)
    if (stored) await refuseStorageFull(scope, bytesOf(readContent(stored.content)))
    const copy = await broadcasts.duplicate(scope, path.broadcastId, authorOf(scope))
    if (copy === "full") throw fullOf("draft")
    const made = copy && (await findBroadcast(scope, copy))
    if (!made) throw broadcastMissing()
    return made
  },
})

type Given = { content: BroadcastContent; to: readonly Entry[]; scheduledAt: Date | null }

/**
 * Checks what the form of a broadcast cannot show.
 * @returns the topic that it belongs to
 * @throws requestInvalid with every fault, requestTooLarge for attachments
 */
async function checkBroadcast(scope: Scope, { content, to, scheduledAt }: Given, now: Date): Promise<string | null> {
  const faults: FieldProblem[] = []
  const late = scheduledAt && scheduleFault(scheduledAt, now)
  if (late) faults.push({ pointer: "/scheduledAt", detail: late })
  const topicId = content.topicId === undefined ? null : decodeId("top", content.topicId)
  if (content.topicId !== undefined && !(topicId && (await topicExists(scope, topicId))))
    faults.push({ pointer: "/topicId", detail: "Names no topic of this project." })
  for (const [at, entry] of to.entries()) {
    const detail = "canonical" in entry ? simulatorFault(entry.canonical) : null
    if (detail !== null) faults.push({ pointer: `/to/${at}`, detail })
  }
  for (const at of await missingEntries(scope, to)) {
    const detail = "Names no segment, topic or contact of this project."
    faults.push({ pointer: `/to/${at}`, detail })
  }
  if (faults.length) throw fieldsInvalid(faults)
  bytesOf(content)
  return topicId
}

export const broadcastOperations = [
  listBroadcasts,
  createBroadcast,
  getBroadcast,
  updateBroadcast,
  deleteBroadcast,
  duplicateBroadcast,
] as const

/** It reads the clicks of thousands of emails, and there is no bucket here. */
const counting = createShare({
  waitMs: 10_000,
  busy: "Clicks of this project's broadcasts are being counted. Try again when that has ended.",
})

export const listBroadcastLinks = endpoint({
  route: "GET /v1/projects/{projectId}/broadcasts/{broadcastId}/links",
  operationId: "listBroadcastLinks",
  tag: "Broadcasts",
  summary: "List broadcast's links",
  description:
    "The links that people clicked, with the number of clicks and of people. Clicks by machines are not counted. Where clicks are not tracked, there are none.",
  access: allow("emails:read"),
  bucket: null,
  path: { broadcastId: { prefix: "bc", missing: broadcastMissing } },
  answers: [200, BroadcastLinks],
  problems: [projectMissing, broadcastMissing],
  additive: true,

  async run(scope, { path }) {
    if (!(await hasBroadcast(scope, path.broadcastId))) throw broadcastMissing()
    return counting(scope.project.id, () => clicksByLink(scope, path.broadcastId))
  },
})

export const broadcastLinkOperations = [listBroadcastLinks] as const

/** Undefined where the template does not change, null where there is none from now on. */
type Edited = { content: BroadcastContent; entries: Entry[]; template: BroadcastTemplate | null | undefined }

/** What a broadcast has after a change, checked as a new one. @throws requestInvalid with every fault */
async function contentAfter(
  scope: Scope,
  stored: StoredBroadcast,
  { template: ref, to, scheduledAt: _at, unchangedSince: _since, placeholders, ...fields }: BroadcastChange,
): Promise<Edited> {
  const isOfTemplate = ref === undefined && (stored.template?.id ?? null) !== null
  if (ref || isOfTemplate) refuseContent({ ...fields, placeholders })
  const { template, ...given } = ref ? cleared(await contentFrom(scope, ref)) : { template: ref }
  const change = { ...wireOf(fields), ...given }
  const edited = checked({ ...stored.content, ...whatIsGiven(change) }, to?.map(entryText) ?? stored.entries)
  if (ref || isOfTemplate) return { ...edited, template }
  const isWritten = placeholders ?? stored.template?.id === null
  if (isWritten) return { ...edited, template: await writtenFrom(scope, edited.content) }
  return { ...edited, template: stored.template ? null : undefined }
}

/** A template may give one body alone: the other one of before is cleared. */
function cleared({ html, text, ...given }: Awaited<ReturnType<typeof contentFrom>>) {
  return { ...given, html: html ?? null, text: text ?? null }
}

/** @throws requestInvalid for what the template gives */
function refuseContent({ subject, html, text, placeholders }: Partial<BroadcastChange>): void {
  const given = Object.entries({ subject, html, text, placeholders }).filter(([, value]) => value)
  if (given.length) throw fieldsInvalid(given.map(([field]) => ({ pointer: `/${field}`, detail: givenByTemplate })))
}

/** Fields that the change leaves out stay as they are. */
function whatIsGiven(change: object): object {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}

function checked(content: object, to: readonly string[]): Omit<Edited, "template"> {
  const given = Object.entries({ ...content, to }).filter(([, value]) => value !== null)
  const {
    draft: _draft,
    scheduledAt: _at,
    idempotencyKey: _key,
    template: _template,
    placeholders: _placeholders,
    to: entries,
    subject = "",
    ...rest
  } = parseBody(NewBroadcast, Object.fromEntries(given))
  return { content: { ...rest, subject }, entries }
}
