import type { Subscription } from "@/lib/consent/rules"
import { type Cut, putIn } from "@/lib/emails/content/cuts"
import { templateBodies, findContent, readContactValues } from "@/lib/emails/content/data"
import { presentBody } from "@/lib/emails/message-rules"
import type { Attempt, Delivery, Email, TimelineItem } from "@/lib/emails/schema"
import type { FilledTemplate } from "@/lib/emails/templates/compose"
import { isFailureReason, reasonIn, type StoredReason } from "@/lib/explanation/codes"
import { reasonSentence, shownEventData, topicOptOutWords } from "@/lib/explanation/words"
import { db, type InProject, type ScopedDb } from "@/lib/platform/database/scoped-db"
import { shown } from "@/lib/platform/database/shape"
import type { Scope } from "@/lib/platform/http/scope"
import { present } from "@/lib/platform/schema"
import { topicOptOut } from "@/lib/topics/rules"
import type { Prisma } from "@/prisma/generated/client"
import { uuidArray } from "@/lib/platform/database/binary-arrays"
import type { Queryable } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"

/** An email without its bodies. */
export const emailShape = {
  ...{ id: true, projectId: false, idempotencyKey: false, groupId: true, groupIndex: false, status: true },
  ...{ admittedStatus: false, domainId: false, fromHeader: true, toHeaders: true, ccHeaders: true, bccHeaders: true },
  ...{ replyTo: true, subject: true, messageId: true, category: true, topicId: true, audienceId: false, tags: true },
  ...{
    broadcastId: true,
    metadata: true,
    headers: false,
    tracking: true,
    testMode: true,
    scheduledAt: true,
    admittedFor: false,
  },
  ...{
    windowStart: false,
    windowEnd: false,
    giveUpAfter: false,
    tls: true,
    size: false,
    error: false,
    reason: true,
    reasonFacts: true,
    keyId: false,
    userId: false,
  },
  ...{ requestId: false, dueAt: false, attempt: false, sentAt: true, createdAt: true, updatedAt: true },
} as const satisfies Record<Prisma.EmailScalarFieldEnum, boolean>

export type EmailRow = Prisma.EmailGetPayload<{ select: typeof emailShape }>

type Bodies = { html: string | null; text: string | null }

/** One email with its bodies, which are stored with the first message of its send or, if the send is large, apart. */
export async function findEmail(scope: Scope, emailId: string, on: ScopedDb = db(scope)): Promise<Email | null> {
  const email = await on.email.findUnique({ where: { id: emailId }, select: emailShape })
  if (!email) return null
  const select = { html: true, text: true }
  const [own, shared] = await Promise.all([
    on.emailBody.findUnique({ where: { projectId_emailId: { emailId: email.groupId } }, select }),
    on.emailContent.findUnique({ where: { id: email.groupId }, select: { ...select, template: true } }),
  ])
  if (shared?.template) {
    const body = await on.emailBody.findUnique({
      where: { projectId_emailId: { emailId } },
      select: { contactValues: true },
    })
    // A broadcast stores what it checked.
    const bodiesFor = templateBodies(shared.template as FilledTemplate)
    return toEmail(email, bodiesFor(readContactValues(body?.contactValues)))
  }
  return toEmail(email, { html: own?.html ?? shared?.html ?? null, text: own?.text ?? shared?.text ?? null })
}

export function toEmail(
  { groupId: _, reason, reasonFacts, ...row }: EmailRow,
  { html, text }: Bodies = { html: null, text: null },
): Email {
  const stored = reasonIn({ reason, reasonFacts })
  const { fromHeader, toHeaders, ccHeaders, bccHeaders, category, tracking, ...fields } = row
  return shown<Email>()({
    ...fields,
    from: fromHeader,
    to: toHeaders,
    cc: ccHeaders.length ? ccHeaders : undefined,
    bcc: bccHeaders.length ? bccHeaders : undefined,
    replyTo: present(row.replyTo),
    html: presentBody(html),
    text: presentBody(text),
    topicId: present(row.topicId),
    broadcastId: present(row.broadcastId),
    ...toRequested({ category, tracking, tags: row.tags, metadata: row.metadata }),
    error: stored ? reasonSentence(stored) : undefined,
    scheduledAt: present(row.scheduledAt),
    tls: present(row.tls),
    sentAt: present(row.sentAt),
  })
}

type Requested = Pick<EmailRow, "category" | "tracking" | "tags" | "metadata">

/** `accept_emails` stores these columns as the schema of the request admitted them, so they have its types. */
function toRequested({ category, tracking, tags, metadata }: Requested) {
  return {
    sendTimeCategory: category as Email["sendTimeCategory"],
    trackingSettings: present(tracking) as Email["trackingSettings"],
    tags: present(tags) as Email["tags"],
    metadata: present(metadata) as Email["metadata"],
  }
}

const eventShape = {
  ...{ id: true, projectId: false, emailId: false, deliveryId: false, contactId: false, type: true, data: true },
  ...{ seq: false, occurredAt: true, createdAt: true },
} as const satisfies Record<Prisma.EventScalarFieldEnum, boolean>

/** Events of one email, in the order in which they happened; at most 1,000. Null when there is no such email. */
export async function findTimeline(scope: Scope, emailId: string): Promise<TimelineItem[] | null> {
  const [exists, events] = await Promise.all([
    emailExists(scope, emailId),
    db(scope).event.findMany({
      where: { emailId },
      select: eventShape,
      orderBy: [{ occurredAt: "asc" }, { id: "asc" }],
      take: 1_000,
    }),
  ])
  if (!exists) return null
  return events.map(({ data, ...event }) =>
    shown<TimelineItem>()({ ...event, payload: toPayload(data), providerEventId: undefined }),
  )
}

/** Whoever adds an event of an email writes an object of strings. */
function toPayload(data: Prisma.JsonValue): Record<string, string> {
  return shownEventData(data as Record<string, string>)
}

/** Whether the project has an email of this id. */
export async function emailExists(scope: Scope, emailId: string): Promise<boolean> {
  return Boolean(await db(scope).email.findUnique({ where: { id: emailId }, select: { id: true } }))
}

/** The audience to which the group of this email was sent; null if it went to addresses. */
export async function findAudienceId(scope: Scope, emailId: string): Promise<string | null> {
  const email = await db(scope).email.findUnique({ where: { id: emailId }, select: { audienceId: true } })
  return email?.audienceId ?? null
}

/** The composed bytes, or why there are none: not yet, or no longer, as bodies are removed after a while. Null where there is no such email. */
export async function findRaw(scope: Scope, emailId: string): Promise<Buffer | "not_composed" | "removed" | null> {
  const email = await db(scope).email.findUnique({
    where: { id: emailId },
    select: { groupId: true, body: { select: { raw: true, cuts: true, emptiedAt: true } } },
  })
  if (!email) return null
  if (!email.body?.raw) return email.body?.emptiedAt ? "removed" : "not_composed"
  const rest = Buffer.from(email.body.raw)
  if (!email.body.cuts) return rest
  const content = await findContent(scope.project.id, email.groupId)
  return content
    ? putIn(
        { rest, cuts: toCuts(email.body.cuts) },
        content.files.map((file) => file.content),
      )
    : "removed"
}

/** The delivery of the message stores what `takeOut` made. */
function toCuts(cuts: Prisma.JsonValue): Cut[] {
  return cuts as Cut[]
}

// Deliveries and their attempts

const deliveryShape = {
  ...{
    id: true,
    projectId: false,
    emailId: false,
    region: false,
    queueId: false,
    role: true,
    address: true,
    canonical: false,
  },
  ...{ egressAddressId: false, egressOn: false },
  ...{ status: true, suppressedBy: true, attempt: false, attemptCount: false, unfinished: false, dataAttempt: false },
  ...{ dueAt: true, firstAttemptAt: false, sentAt: true, deliveredAt: true, endedAt: true, bounceType: true },
  ...{ bounceCode: true, diagnostic: true, reason: true, reasonFacts: true, createdAt: false, updatedAt: false },
} as const satisfies Record<Prisma.DeliveryScalarFieldEnum, boolean>

const attemptShape = {
  ...{ id: true, projectId: false, emailId: false, deliveryId: true, attempt: true, outcome: true, phase: true },
  ...{
    code: true,
    enhanced: true,
    text: true,
    remote: true,
    tls: true,
    tlsLevel: true,
    tlsPolicy: true,
    source: true,
    ehloName: true,
    conversation: true,
  },
  ...{ startedAt: true, endedAt: true },
} as const satisfies Record<Prisma.DeliveryAttemptScalarFieldEnum, boolean>

type DeliveryRow = Prisma.DeliveryGetPayload<{ select: typeof deliveryShape }>
type AttemptRow = Prisma.DeliveryAttemptGetPayload<{ select: typeof attemptShape }>

/** Attempts that one delivery shows, its newest. */
const attemptsShown = 100

/** Deliveries of one email with their attempts. Null when there is no such email. */
export async function findDeliveries(scope: Scope, emailId: string): Promise<Delivery[] | null> {
  const [email, deliveries, attempts] = await Promise.all([
    db(scope).email.findUnique({ where: { id: emailId }, select: { topicId: true } }),
    db(scope).delivery.findMany({ where: { emailId }, select: deliveryShape, orderBy: { id: "asc" }, take: 1_000 }),
    db(scope).deliveryAttempt.findMany({
      where: { emailId },
      select: attemptShape,
      orderBy: { id: "asc" },
      take: 5_000,
    }),
  ])
  if (!email) return null
  const optedOut = deliveries.some(({ suppressedBy }) => suppressedBy === topicOptOut)
  const sentence = optedOut && email.topicId !== null ? await optOutSentence(scope, email.topicId) : undefined
  const attemptsOf = (id: string) => attempts.filter(({ deliveryId }) => deliveryId === id)
  return deliveries.map((row) => toDelivery(row, attemptsOf(row.id), sentence))
}

/** The topic may have been deleted since: it names itself as long as its row exists. */
async function optOutSentence(scope: Scope, topicId: string): Promise<string | undefined> {
  const select = { name: true, defaultSubscription: true }
  const topic = await db(scope).topic.findUnique({ where: { id: topicId }, select })
  if (!topic) return undefined
  return topicOptOutWords({ topic: topic.name, byDefault: topic.defaultSubscription as Subscription })
}

function toDelivery(
  { dueAt, reason, reasonFacts, ...row }: DeliveryRow,
  attempts: AttemptRow[],
  optedOut: string | undefined,
): Delivery {
  return shown<Delivery>()({
    ...row,
    role: row.role as Delivery["role"],
    // Counted as people do: a claim that was given back was no attempt.
    attempts: attempts.map((row, at) => toAttempt({ ...row, attempt: at + 1 })).slice(-attemptsShown),
    nextAttemptAt: row.endedAt ? undefined : present(dueAt),
    bounceType: present(row.bounceType),
    bounceCode: present(row.bounceCode),
    diagnostic: present(row.diagnostic) ?? failureIn({ reason, reasonFacts }),
    suppressedBy: present(row.suppressedBy),
    suppressedDetail: row.suppressedBy === topicOptOut ? optedOut : undefined,
    sentAt: present(row.sentAt),
    deliveredAt: present(row.deliveredAt),
    endedAt: present(row.endedAt),
  })
}

/** A failure without a server's reply tells its own reason. */
function failureIn(stored: StoredReason): string | undefined {
  const reason = reasonIn(stored)
  return isFailureReason(reason) ? reasonSentence(reason) : undefined
}

function toAttempt({ deliveryId: _, ...row }: AttemptRow): Attempt {
  return shown<Attempt>()({
    ...row,
    phase: present(row.phase),
    code: present(row.code),
    enhanced: present(row.enhanced),
    text: present(row.text),
    remote: present(row.remote),
    tls: present(row.tls),
    tlsLevel: present(row.tlsLevel),
    tlsPolicy: present(row.tlsPolicy),
    source: present(row.source),
    ehloName: present(row.ehloName),
    conversation: row.conversation?.split("\n"),
    endedAt: present(row.endedAt),
  })
}

export type NewEvent = {
  id?: string
  emailId: string
  deliveryId?: string
  type: string
  data: Record<string, string>
}

/** Adds events of emails, which happen now; the dispatcher gives them their places in the public order. */
export async function addEvents(
  scope: InProject,
  events: readonly NewEvent[],
  on: ScopedDb = db(scope),
): Promise<void> {
  await on.event.createMany({ data: events.map((event) => ({ id: newId(), ...event })) })
}

/** Whether a recipient's email has an event of this type. */
export async function hasEvent(
  scope: InProject,
  where: { emailId: string; deliveryId: string; type: string },
  on: ScopedDb = db(scope),
): Promise<boolean> {
  return (await on.event.findFirst({ where, select: { id: true } })) !== null
}

// On `pg` from here on: the dispatcher, delivery and the job that judges opens and clicks write for all projects, many at a time
// (lib/README.md, "Data access").

/** An event with the time at which it happened, if that is not now. */
export type PastEvent = {
  id: string
  projectId: string
  emailId: string
  deliveryId: string
  type: string
  data: Record<string, string>
  occurredAt: Date | null
}

/** Adds events of all projects that happened a moment ago. */
export async function addPastEvents(client: Queryable, events: readonly PastEvent[]): Promise<void> {
  if (events.length === 0) return
  await client.query({
    name: "emails.add_past_events",
    text: addEventRows(`SELECT id, "projectId", "emailId", "deliveryId", type, data, coalesce("occurredAt", now()) FROM json_to_recordset($1)
      AS g(id uuid, "projectId" uuid, "emailId" uuid, "deliveryId" uuid, type text, data jsonb, "occurredAt" timestamptz)`),
    values: [JSON.stringify(events)],
  })
}

/** Gives emails of all projects the status of their only delivery; their rows are locked. */
export async function setStatuses(
  client: Queryable,
  emails: readonly { emailId: string; status: string }[],
): Promise<void> {
  if (emails.length === 0) return
  await client.query({
    name: "emails.set_statuses",
    text: writeStatuses("$1", "$2"),
    values: [
      JSON.stringify(emails.map(({ emailId: id, status }) => ({ id, status, error: null, relayed: false }))),
      emails.map(({ emailId }) => emailId),
    ],
  })
}

// Parts of the statements on `pg` with which delivery writes outcomes: each writes deliveries, emails and events at once.

/** Adds events; `rows` selects id, project_id, email_id, delivery_id, type, data and the time. */
export const addEventRows = (rows: string) =>
  `INSERT INTO events (id, project_id, email_id, delivery_id, type, data, occurred_at)
        ${rows}`

/** Gives emails the status of their only delivery, which was accepted; `held` names rows with email_id and status. */
export const markAccepted = (held: string) =>
  `UPDATE emails e SET status = h.status, reason = NULL, reason_facts = NULL, sent_at = coalesce(e.sent_at, now()), updated_at = now()
      FROM ${held} h WHERE e.id = h.email_id AND e.id = ANY (ARRAY(SELECT email_id FROM ${held}))`

/** Writes the status and reason that emails have after an outcome; `emails` is JSON of them, `ids` an array of their ids. */
export const writeStatuses = (emails: string, ids: string) =>
  `UPDATE emails e SET status = g.status, reason = g.reason, reason_facts = g.reason_facts, updated_at = now(),
            sent_at = CASE WHEN g.relayed THEN coalesce(e.sent_at, now()) ELSE e.sent_at END
          FROM json_to_recordset(${emails}) AS g(id uuid, status text, reason text, reason_facts jsonb, relayed boolean)
          WHERE e.id = g.id AND e.id = ANY (${ids})`

/** Gives events their places in the public order. The dispatcher does it for all projects, in its transaction. */
export async function numberEvents(client: Queryable, events: readonly { id: string; seq: bigint }[]): Promise<void> {
  await client.query({
    name: "dispatcher.number",
    text: `UPDATE events e SET seq = given.seq FROM unnest($1::uuid[], $2::bigint[]) AS given(id, seq) WHERE e.id = given.id`,
    values: [uuidArray(events.map(({ id }) => id)), events.map(({ seq }) => String(seq))],
  })
}
