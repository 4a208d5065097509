import type { z } from "zod"
import type { Delivery } from "@/lib/emails/delivery-schema"
import type { Email, TimelineItem } from "@/lib/emails/schema"
import { pool } from "@/lib/platform/db"
import { offset, type PageRequest } from "@/lib/platform/paging"
import { present } from "@/lib/platform/schema"
import type { Scope } from "@/lib/platform/scope"

type Row = {
  id: string; status: string; from_header: string; to_headers: string[]; cc_headers: string[]; bcc_headers: string[]
  reply_to: string | null; subject: string; message_id: string; topic_id: string | null
  tags: Record<string, string> | null; metadata: Record<string, string> | null; test_mode: boolean; error: string | null
  scheduled_at: Date | null; sent_at: Date | null; created_at: Date; updated_at: Date; html?: string | null; text?: string | null
}

const COLUMNS = `e.id, e.status, e.from_header, e.to_headers, e.cc_headers, e.bcc_headers, e.reply_to, e.subject, e.message_id,
  e.topic_id, e.tags, e.metadata, e.test_mode, e.error, e.scheduled_at, e.sent_at, e.created_at, e.updated_at`

/** One email with its bodies. */
export async function findEmail(scope: Scope, emailId: string): Promise<Email | null> {
  const { rows } = await pool().query<Row>({
    name: "emails.find",
    text: `SELECT ${COLUMNS}, b.html, b.text FROM emails e
      LEFT JOIN email_bodies b ON b.project_id = e.project_id AND b.email_id = e.id
      WHERE e.project_id = $1 AND e.id = $2`,
    values: [scope.project.id, emailId],
  })
  return rows[0] ? toEmail(rows[0]) : null
}

export type EmailFilter = {
  status?: string
  /** Canonical address. */
  recipient?: string
  /** Part of the sender as it stands in From. */
  from?: string
  /** Part of the subject. */
  subject?: string
  /** uuid */
  domainId?: string
  /** uuid */
  topicId?: string
  /** Name, or `name:value`. */
  tag?: string
  after?: Date
  before?: Date
}

/** Filtered lists are counted up to here. */
const COUNTED_MAX = 10_000

/** Emails without bodies, newest first. The total of all is a kept counter; of a filter it stops at 10,000. */
export async function listEmails(scope: Scope, filter: EmailFilter, request: PageRequest): Promise<{ data: Email[]; total: number }> {
  const { where, values } = conditions(scope, filter)
  const [listed, total] = await Promise.all([
    pool().query<Row>(
      `SELECT ${COLUMNS} FROM emails e JOIN (
          SELECT e.id FROM emails e WHERE ${where} ORDER BY e.id DESC LIMIT $${values.length + 1} OFFSET $${values.length + 2}
        ) listed ON listed.id = e.id ORDER BY e.id DESC`,
      [...values, request.size, offset(request)],
    ),
    values.length === 1 ? countAll(scope) : countFiltered(where, values),
  ])
  return { data: listed.rows.map(toEmail), total }
}

/** Emails of one step of an export: bounds its memory, as the next step is read when the reader has taken this one. */
const EXPORT_STEP = 500

/** The same emails as the list, newest first, in groups that are read one after the other; without bodies. */
export async function* eachEmail(scope: Scope, filter: EmailFilter): AsyncGenerator<Email[]> {
  const { where, values } = conditions(scope, filter)
  let behind: string | undefined
  for (;;) {
    const { rows } = await pool().query<Row>(
      `SELECT ${COLUMNS} FROM emails e WHERE ${where}${behind ? ` AND e.id < $${values.length + 1}` : ""}
        ORDER BY e.id DESC LIMIT ${EXPORT_STEP}`,
      behind ? [...values, behind] : values,
    )
    if (rows.length) yield rows.map(toEmail)
    behind = rows.at(-1)?.id
    if (rows.length < EXPORT_STEP) return
  }
}

function conditions(scope: Scope, filter: EmailFilter) {
  const values: unknown[] = [scope.project.id]
  const where = ["e.project_id = $1"]
  const add = (condition: (place: string) => string, value: unknown) => {
    values.push(value)
    where.push(condition(`$${values.length}`))
  }
  const { status, recipient, from, subject, domainId, topicId, tag, after, before } = filter
  if (status !== undefined) add((at) => `e.status = ${at}`, status)
  if (recipient !== undefined) {
    add((at) => `e.id IN (SELECT d.email_id FROM deliveries d WHERE d.project_id = $1 AND d.canonical = ${at})`, recipient)
  }
  if (from !== undefined) add((at) => `strpos(lower(e.from_header), lower(${at})) > 0`, from)
  if (subject !== undefined) add((at) => `strpos(lower(e.subject), lower(${at})) > 0`, subject)
  if (domainId !== undefined) add((at) => `e.domain_id = ${at}`, domainId)
  if (topicId !== undefined) add((at) => `e.topic_id = ${at}`, topicId)
  if (tag !== undefined) add((at) => tagCondition(tag, at), tag)
  if (after !== undefined) add((at) => `e.id >= first_id_at(${at})`, after)
  if (before !== undefined) add((at) => `e.id < first_id_at(${at})`, before)
  return { where: where.join(" AND "), values }
}

/** A name may hold colons itself: then the whole of it is looked for as well. */
function tagCondition(tag: string, at: string): string {
  const named = `e.tags ? ${at}`
  const colon = tag.indexOf(":")
  if (colon < 1) return named
  // JavaScript counts some characters twice that the database counts once.
  const name = [...tag.slice(0, colon)].length
  return `(${named} OR e.tags @> jsonb_build_object(left(${at}, ${name}), substr(${at}, ${name + 2})))`
}

async function countAll(scope: Scope): Promise<number> {
  const { rows } = await pool().query<{ emails: string }>("SELECT emails FROM send_allowances WHERE project_id = $1", [scope.project.id])
  return Number(rows[0]?.emails ?? 0)
}

async function countFiltered(where: string, values: unknown[]): Promise<number> {
  const { rows } = await pool().query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (SELECT 1 FROM emails e WHERE ${where} LIMIT ${COUNTED_MAX}) counted`,
    values,
  )
  return rows[0]?.count ?? 0
}

function toEmail(row: Row): Email {
  return {
    id: row.id,
    status: row.status,
    from: row.from_header,
    to: row.to_headers,
    ...(row.cc_headers.length ? { cc: row.cc_headers } : {}),
    ...(row.bcc_headers.length ? { bcc: row.bcc_headers } : {}),
    replyTo: present(row.reply_to),
    subject: row.subject,
    html: row.html ?? undefined,
    text: row.text ?? undefined,
    messageId: row.message_id,
    topicId: present(row.topic_id),
    tags: present(row.tags),
    metadata: present(row.metadata),
    testMode: row.test_mode,
    error: present(row.error),
    scheduledAt: present(row.scheduled_at),
    sentAt: present(row.sent_at),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** Events of one email, in the order in which they happened; at most 1,000. Null when there is no such email. */
export async function findTimeline(scope: Scope, emailId: string): Promise<z.output<typeof TimelineItem>[] | null> {
  if (!(await emailExists(scope, emailId))) return null
  type EventRow = { id: string; type: string; data: Record<string, string>; occurred_at: Date; created_at: Date }
  const { rows } = await pool().query<EventRow>(
    `SELECT id, type, data, occurred_at, created_at FROM events WHERE project_id = $1 AND email_id = $2
      ORDER BY occurred_at, id LIMIT 1000`,
    [scope.project.id, emailId],
  )
  return rows.map(({ id, type, data, occurred_at, created_at }) => ({
    id,
    type,
    occurredAt: occurred_at,
    createdAt: created_at,
    payload: data,
  }))
}

/** Deliveries of one email with their attempts (the newest 100 of each). Null when there is no such email. */
export async function findDeliveries(scope: Scope, emailId: string): Promise<z.output<typeof Delivery>[] | null> {
  if (!(await emailExists(scope, emailId))) return null
  const [deliveries, attempts] = await Promise.all([
    pool().query("SELECT * FROM deliveries WHERE project_id = $1 AND email_id = $2 ORDER BY id LIMIT 1000", [scope.project.id, emailId]),
    pool().query("SELECT * FROM delivery_attempts WHERE project_id = $1 AND email_id = $2 ORDER BY id LIMIT 5000", [
      scope.project.id,
      emailId,
    ]),
  ])
  return deliveries.rows.map((row) => ({
    id: row.id,
    role: row.role,
    address: row.address,
    status: row.status,
    attempts: attempts.rows.filter((attempt) => attempt.delivery_id === row.id).map(toAttempt).slice(-100),
    ...(row.due_at && !row.ended_at ? { nextAttemptAt: row.due_at } : {}),
    bounceType: present(row.bounce_type),
    bounceCode: present(row.bounce_code),
    diagnostic: present(row.diagnostic),
    sentAt: present(row.sent_at),
    deliveredAt: present(row.delivered_at),
    endedAt: present(row.ended_at),
  }))
}

type AttemptRow = {
  id: string; attempt: number; outcome: string; phase: string | null; code: number | null; enhanced: string | null
  text: string | null; remote: string | null; tls: string | null; conversation: string | null; started_at: Date; ended_at: Date | null
}

function toAttempt(row: AttemptRow) {
  return {
    id: row.id,
    attempt: row.attempt,
    outcome: row.outcome,
    phase: present(row.phase),
    code: present(row.code),
    enhanced: present(row.enhanced),
    text: present(row.text),
    remote: present(row.remote),
    tls: present(row.tls),
    conversation: row.conversation?.split("\n"),
    startedAt: row.started_at,
    endedAt: present(row.ended_at),
  }
}

/** Whether the project has an email of this id. */
export async function emailExists(scope: Scope, emailId: string): Promise<boolean> {
  const { rowCount } = await pool().query("SELECT 1 FROM emails WHERE project_id = $1 AND id = $2", [scope.project.id, emailId])
  return Boolean(rowCount)
}

/** The composed bytes: undefined where they do not exist yet, null where the email does not. */
export async function findRaw(scope: Scope, emailId: string): Promise<Buffer | null | undefined> {
  const { rows } = await pool().query<{ raw: Buffer | null }>(
    "SELECT raw FROM email_bodies WHERE project_id = $1 AND email_id = $2",
    [scope.project.id, emailId],
  )
  return rows[0] ? (rows[0].raw ?? undefined) : null
}
