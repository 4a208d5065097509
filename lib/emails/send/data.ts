import type { CountedRequests, Counted } from "@/lib/access/limits/data"
import { topicOptOutWords } from "@/lib/explanation/words"
import { textArray } from "@/lib/platform/database/binary-arrays"
import { pool } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"
import { counter, histogram } from "@/lib/platform/metrics"
import { readSegments } from "@/lib/segments/data"
import { findOptOuts } from "@/lib/topics/data"
import type { Address } from "@/lib/addresses/address"
import type { LargeContent } from "@/lib/emails/content/data"
import type { ComposedEmail } from "@/lib/emails/send/schema"
import { isHeldBySimulator, simulatorName } from "@/lib/emails/simulator"
import { encodeId, newId } from "@/lib/platform/ids"

// On `pg`, because these are the accept path: one statement each, whatever the number of messages.

export type AcceptedMessage = {
  id: string
  messageId: string
  status: string
  scheduledAt: Date | null
  createdAt: Date
}

export type Accepted =
  | { outcome: "accepted" | "replayed"; messages: AcceptedMessage[] }
  | { outcome: "project_suspended" | "domain_not_verified" | "storage_full" }
  | { outcome: "daily_exceeded" | "rate_exceeded"; retryAfter: number }

type Row = {
  ord: number
  outcome: Accepted["outcome"]
  retry_after: number | null
  group_index: number | null
  id: string | null
  message_id: string
  status: string
  scheduled_at: Date | null
  created_at: Date
}

/** What a window holds with the requests that were added to it; `window_key` is null in the rows of sends. */
type WindowRow = { window_key: string | null; points: number; ms_to_end: number }

const groupSizes = histogram(
  "mailroom_accept_group_sends",
  "Sends that shared one statement.",
  [1, 2, 5, 10, 20, 50, 100, 200],
)
const decided = counter("mailroom_sends_total", "Sends by what was decided of them.", ["outcome"])
const acceptedEmails = counter("mailroom_emails_accepted_total", "Emails durably accepted.")

/**
 * The SQLSTATE that undoes a call: another one took the allowance between its look and its debit, or one of several requests is over
 * its rate limit.
 */
export const allowanceTaken = "MR001"

/** What a call decided, which is nothing where its only request was over its rate limit, and the windows that it added to. */
type Together = { accepted: Accepted[]; counted: ReadonlyMap<string, Counted> }

/**
 * One call of `accept_emails`: all of these sends of one project, each with its own outcome, in their order; with requests that
 * are still to be counted, `count_and_accept_emails` counts them in the same call. The first
 * argument names the project.
 */
export async function acceptTogether(
  projectId: string,
  sends: readonly Send[],
  added: readonly CountedRequests[] = [],
): Promise<Together> {
  const values = valuesOf(projectId, sends)
  if (added.length === 0) {
    const text = "SELECT * FROM accept_emails($1, $2, $3, $4, $5, $6)"
    const { rows } = await pool().query<Row>({ name: "emails.accept", text, values })
    return { accepted: decidedBy(rows, sends.length), counted: new Map() }
  }
  const { rows } = await pool().query<Row & WindowRow>({
    name: "emails.count_and_accept",
    text: "SELECT * FROM count_and_accept_emails($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    values: [
      added.map(({ key }) => key),
      added.map(({ points }) => points),
      added.map(({ windowMs }) => windowMs),
      added.map(({ requests }) => requests),
      ...values,
    ],
  })
  const counted = new Map(
    rows.flatMap(({ window_key: key, points, ms_to_end: msToEnd }) =>
      key === null ? [] : [[key, { points, msToEnd }]],
    ),
  )
  const isOver = added.some(({ key, requests }) => (counted.get(key)?.points ?? 0) > requests)
  const decided = rows.filter(({ window_key }) => window_key === null)
  return { accepted: isOver ? [] : decidedBy(decided, sends.length), counted }
}

function valuesOf(projectId: string, sends: readonly Send[]) {
  return [
    projectId,
    JSON.stringify(
      sends.map(({ key, domain, free, messages }, ord) => ({ ord, key, domain, free, messages: messages.length })),
    ),
    JSON.stringify(sends.flatMap(({ messages }, ord) => messages.map((message) => ({ ...message, ord })))),
    textArray(sends.map(({ text }) => text)),
    textArray(sends.map(({ html }) => html)),
    JSON.stringify(sends.flatMap(({ recipients }, ord) => recipients.map((recipient) => ({ ...recipient, ord })))),
  ]
}

function decidedBy(rows: Row[], count: number): Accepted[] {
  // Without a row the domain was deleted between two statements of the function: nothing of the send was stored.
  const outcomes = Array.from(outcomesOf(rows, count), (one) => one ?? { outcome: "domain_not_verified" as const })
  groupSizes.observe(count)
  for (const { outcome } of outcomes) decided.inc({ outcome })
  acceptedEmails.inc(rows.filter(({ outcome }) => outcome === "accepted").length)
  return outcomes
}

/** What earlier requests with these keys were answered, by key. */
export async function findReplays(projectId: string, keys: readonly string[]): Promise<Map<string, Accepted>> {
  const { rows } = await pool().query<Omit<Row, "ord" | "outcome" | "retry_after"> & { key: string }>({
    name: "emails.find_replays",
    text: `SELECT k.idempotency_key AS key, e.group_index, e.id, e.message_id, e.admitted_status AS status,
        coalesce(e.admitted_for, e.scheduled_at) AS scheduled_at, e.created_at
      FROM emails k JOIN emails e ON e.project_id = k.project_id AND (e.id = k.id OR (e.group_id = k.id AND e.group_index > 0))
      WHERE k.project_id = $1 AND k.idempotency_key = ANY ($2)`,
    values: [projectId, keys],
  })
  const positions = new Map(keys.map((key, ord) => [key, ord]))
  const numbered = rows.map((row) => ({
    ...row,
    ord: positions.get(row.key) ?? 0,
    outcome: "replayed" as const,
    retry_after: null,
  }))
  const found = outcomesOf(numbered, keys.length)
  return new Map(keys.flatMap((key, ord) => (found[ord] ? [[key, found[ord]] as const] : [])))
}

function outcomesOf(rows: Row[], count: number): Accepted[] {
  const outcomes = new Array<Accepted>(count)
  for (const row of rows.toSorted((a, b) => (a.group_index ?? 0) - (b.group_index ?? 0))) {
    const known = outcomes[row.ord]
    const message = row.id && {
      id: row.id,
      messageId: row.message_id,
      status: row.status,
      scheduledAt: row.scheduled_at,
      createdAt: row.created_at,
    }
    if (known && "messages" in known && message) known.messages.push(message)
    else outcomes[row.ord] = first(row, message || null)
  }
  return outcomes
}

function first(row: Row, message: AcceptedMessage | null): Accepted {
  if ((row.outcome === "accepted" || row.outcome === "replayed") && message) {
    return { outcome: row.outcome, messages: [message] }
  }
  if (row.outcome === "daily_exceeded" || row.outcome === "rate_exceeded") {
    return { outcome: row.outcome, retryAfter: row.retry_after ?? 1 }
  }
  return { outcome: row.outcome as "project_suspended" }
}

export type AudienceRef = { kind: "top" | "seg"; id: string }

/** Sendable members: null where the project has no such topic or segment. `building` while its members are being chosen. */
type Members = { emails: string[]; building: boolean } | null

const membership = {
  top: "topic_preferences m WHERE m.project_id = $1 AND m.topic_id = $2 AND m.subscription = 'opt_in'",
  seg: "segment_members m WHERE m.project_id = $1 AND m.segment_id = $2 AND m.origin <> 'removed'",
}

/**
 * Up to `most` members that may be written to, in the order in which they became contacts: who opted in to the topic or
 * is in the segment, is not unsubscribed and not suppressed, and is in the topic `topicId` where one is given.
 */
export async function findSendable(
  scope: Scope,
  { kind, id }: AudienceRef,
  topicId: string | null,
  most: number,
): Promise<Members> {
  const building = await isBuilding(scope, { kind, id })
  if (building === null) return null
  const { rows } = await pool().query<{ email: string }>(
    `SELECT c.email FROM (SELECT m.contact_id FROM ${membership[kind]} ORDER BY m.contact_id) m
      JOIN contacts c ON c.project_id = $1 AND c.id = m.contact_id
      WHERE NOT c.unsubscribed
        AND NOT EXISTS (SELECT 1 FROM suppressions s WHERE s.project_id = $1 AND s.email = c.email)
        AND ($4::uuid IS NULL OR topic_state($1, $4, c.id) = 'opt_in')
      ORDER BY m.contact_id LIMIT $3`,
    [scope.project.id, id, most, topicId],
  )
  return { emails: rows.map(({ email }) => email), building }
}

// What a plan or a check asks of topics, segments, suppressions and openings

/** Whether the members of an audience are being chosen; null where the project does not have it. */
async function isBuilding(scope: Scope, { kind, id }: AudienceRef): Promise<boolean | null> {
  if (kind === "top") return (await topicExists(scope, id)) ? false : null
  const segment = (await readSegments(scope.project.id, [id])).get(id)
  return segment ? segment.building !== null : null
}

export async function topicExists(scope: Scope, id: string): Promise<boolean> {
  return (await db(scope).topic.count({ where: { id, deletedAt: null } })) > 0
}

/** Which of these canonical addresses are out of the topic, and the sentence that says so. */
export async function findOptOutWords(
  { project: { id: projectId } }: Scope,
  topicId: string,
  addresses: readonly string[],
): Promise<Map<string, string>> {
  const optOuts = await findOptOuts(addresses.map((canonical) => ({ projectId, topicId, canonical })))
  return new Map(
    addresses.flatMap((canonical, at) => {
      const optOut = optOuts[at]
      return optOut?.code === "topic_opt_out" ? [[canonical, topicOptOutWords(optOut.facts)] as const] : []
    }),
  )
}

/** Which of these canonical addresses are on the project's suppression list, and why. */
export async function findSuppressionReasons(scope: Scope, canonical: string[]): Promise<Map<string, string>> {
  const rows = await db(scope).suppression.findMany({
    where: { email: { in: canonical } },
    select: { email: true, reason: true },
  })
  return new Map(rows.map(({ email, reason }) => [email, reason]))
}

/** How often recipients opened emails in each hour of the day (UTC), by canonical address; who never did is absent. */
export async function findOpeningHours(scope: Scope, addresses: readonly string[]): Promise<Map<string, number[]>> {
  const rows = await db(scope).openingHours.findMany({
    where: { email: { in: [...addresses] } },
    select: { email: true, hours: true },
  })
  return new Map(rows.map(({ email, hours }) => [email, hours]))
}

/** A send as the accept function takes it: which sender, which claim, and the messages with their recipients. */
export type Send = {
  key: string | null
  domain: string
  free: boolean
  /** Of the content that travels with the messages. */
  bytes: number
  /** Of all that the send makes: attachments once, bodies once for each message. */
  totalBytes: number
  messages: MessageRow[]
  /** The bodies of the first message; the others show the same. */
  text?: string
  html?: string
  recipients: RecipientRow[]
  /** Content that is stored before the send is decided. */
  large: LargeContent | null
}

type RecipientRole = "to" | "cc" | "bcc"
export type Recipient = Address & { role: RecipientRole }

/** Who sends, as it is stored with each message. */
export type Author = { keyId: string | null; userId: string | null; requestId: string | null }

export function authorOf({ principal, request }: Scope): Author {
  return {
    keyId: principal.kind === "key" ? principal.keyId : null,
    userId: principal.kind === "session" ? principal.userId : null,
    requestId: request.id,
  }
}

/** What is decided once for all messages of a send. */
export type Decided = {
  bytes: number
  unsubscribe: boolean
  topicId: string | null
  /** The public id of the topic or segment that it goes to. */
  audienceId: string | null
  broadcastId: string | null
  /** Whether the content travels with the first message. */
  small: boolean
}

/** A message of a send: its id, its index, and the addresses that share it. */
type Message = {
  id: string
  idx: number
  groupId: string
  group: readonly Recipient[]
  scheduledAt: Date | null
  /** What the template of the shared content shows of the contact. */
  contactValues?: Readonly<Record<string, string>> | undefined
}

/**
 * A message as `accept_emails` takes it, without its bodies. One literal without a spread: a row of so many fields that
 * grows field by field takes the engine longer than all other work on it. What is undefined is not written, sent and read.
 */
export function messageRow(author: Author, email: ComposedEmail, decided: Decided, message: Message) {
  const { id, idx, groupId, group, scheduledAt } = message
  const { bytes, unsubscribe, small } = decided
  return {
    id,
    idx,
    group_id: groupId,
    event_id: newId(),
    message_id: `<${encodeId("msg", newId()).slice(4)}@${email.from.domain}>`,
    to_headers: headersOf(group, "to"),
    cc_headers: headersOf(group, "cc"),
    bcc_headers: headersOf(group, "bcc"),
    from_header: addressHeader(email.from),
    reply_to: email.replyTo ? addressHeader(email.replyTo) : undefined,
    subject: email.subject,
    attachments: small && idx === 0 ? email.attachments : undefined,
    contact_values: message.contactValues,
    headers: email.headers ?? undefined,
    tags: email.tags ?? undefined,
    metadata: email.metadata ?? undefined,
    tracking: { ...email.trackingSettings, unsubscribeTracking: unsubscribe },
    category: email.sendTimeCategory,
    topic_id: decided.topicId ?? undefined,
    audience_id: decided.audienceId ?? undefined,
    broadcast_id: decided.broadcastId ?? undefined,
    test_mode: email.testMode,
    scheduled_at: scheduledAt ?? undefined,
    window_start: email.deliveryWindow?.start,
    window_end: email.deliveryWindow?.end,
    give_up_after: email.giveUpAfterSeconds,
    tls: email.tls,
    size: bytes,
    key_id: author.keyId ?? undefined,
    user_id: author.userId ?? undefined,
    request_id: author.requestId ?? undefined,
  }
}
type MessageRow = ReturnType<typeof messageRow>

export function recipientRow({ role, address, canonical }: Recipient, message: string, topicId: string | null) {
  return {
    id: newId(),
    message,
    role,
    address,
    canonical,
    simulated: simulatorName(canonical) === null ? undefined : true,
    /** Suppressed whatever the list says. */
    held: isHeldBySimulator(canonical) ? true : undefined,
    /** The topic of its mail, which it may have left. */
    topic: topicId ?? undefined,
    event_id: newId(),
  }
}
type RecipientRow = ReturnType<typeof recipientRow>

function headersOf(group: readonly Recipient[], role: RecipientRole): string[] | undefined {
  const headers = group.filter((recipient) => recipient.role === role).map(addressHeader)
  return headers.length > 0 ? headers : undefined
}

export function addressHeader({ name, address }: Address): string {
  if (!name) return address
  return /^[\p{L}\p{N} !#$%&'*+/=?^_`{|}~-]+$/u.test(name)
    ? `${name} <${address}>`
    : `"${name.replaceAll(/["\\]/g, "\\$&")}" <${address}>`
}
