import type { z } from "zod"
import type { Delivery } from "@/lib/emails/delivery-schema"
import type { Email, TimelineItem } from "@/lib/emails/schema"
import { findContent } from "@/lib/emails/content-store"
import { putIn, type Cut } from "@/lib/emails/cuts"
import { pool } from "@/lib/platform/database/db"
import { present } from "@/lib/platform/schema"
import type { Scope } from "@/lib/platform/http/scope"
import { topicOptOut, topicOptOutSentence } from "@/lib/topics/rules"

export type EmailRow = {
  id: string
  status: string
  from_header: string
  to_headers: string[]
  cc_headers: string[]
  bcc_headers: string[]
  reply_to: string | null
  subject: string
  message_id: string
  topic_id: string | null
  category: NonNullable<Email["sendTimeCategory"]>
  tracking: Email["trackingSettings"] | null
  tags: Record<string, string> | null
  metadata: Record<string, string> | null
  test_mode: boolean
  error: string | null
  scheduled_at: Date | null
  sent_at: Date | null
  created_at: Date
  updated_at: Date
  html?: string | null
  text?: string | null
}

export const EMAIL_COLUMNS = `e.id, e.status, e.from_header, e.to_headers, e.cc_headers, e.bcc_headers, e.reply_to, e.subject, e.message_id,
  e.topic_id, e.category, e.tracking, e.tags, e.metadata, e.test_mode, e.error, e.scheduled_at, e.sent_at, e.created_at, e.updated_at`

/** One email with its bodies. */
export async function findEmail(scope: Scope, emailId: string): Promise<Email | null> {
  const { rows } = await pool().query<EmailRow>({
    name: "emails.find",
    // With the first message of the send or, where it is large, apart; every message had its own before that.
    text: `SELECT ${EMAIL_COLUMNS}, coalesce(b.html, c.html) AS html, coalesce(b.text, c.text) AS text FROM emails e
      LEFT JOIN email_bodies b ON b.project_id = e.project_id AND b.email_id = e.group_id
      LEFT JOIN email_contents c ON c.project_id = e.project_id AND c.id = e.group_id
      WHERE e.project_id = $1 AND e.id = $2`,
    values: [scope.project.id, emailId],
  })
  return rows[0] ? toEmail(rows[0]) : null
}

export function toEmail(row: EmailRow): Email {
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
    sendTimeCategory: row.category,
    trackingSettings: present(row.tracking),
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
    pool().query(
      `SELECT d.*, t.name AS topic_name, t.default_subscription FROM deliveries d
        LEFT JOIN emails e ON d.suppressed_by = '${topicOptOut}' AND e.project_id = d.project_id AND e.id = d.email_id
        LEFT JOIN topics t ON t.project_id = e.project_id AND t.id = e.topic_id
        WHERE d.project_id = $1 AND d.email_id = $2 ORDER BY d.id LIMIT 1000`,
      [scope.project.id, emailId],
    ),
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
    attempts: attempts.rows
      .filter((attempt) => attempt.delivery_id === row.id)
      .map(toAttempt)
      .slice(-100),
    ...(row.due_at && !row.ended_at ? { nextAttemptAt: row.due_at } : {}),
    bounceType: present(row.bounce_type),
    bounceCode: present(row.bounce_code),
    diagnostic: present(row.diagnostic),
    suppressedBy: present(row.suppressed_by),
    suppressedDetail: row.topic_name
      ? topicOptOutSentence({ name: row.topic_name, byDefault: row.default_subscription })
      : undefined,
    sentAt: present(row.sent_at),
    deliveredAt: present(row.delivered_at),
    endedAt: present(row.ended_at),
  }))
}

type AttemptRow = {
  id: string
  attempt: number
  outcome: string
  phase: string | null
  code: number | null
  enhanced: string | null
  text: string | null
  remote: string | null
  tls: string | null
  conversation: string | null
  started_at: Date
  ended_at: Date | null
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
  const { rowCount } = await pool().query("SELECT 1 FROM emails WHERE project_id = $1 AND id = $2", [
    scope.project.id,
    emailId,
  ])
  return Boolean(rowCount)
}

/** The composed bytes: undefined where they do not exist yet or any more, null where the email does not. */
export async function findRaw(scope: Scope, emailId: string): Promise<Buffer | null | undefined> {
  const { rows } = await pool().query<{ raw: Buffer | null; cuts: Cut[] | null; group_id: string }>(
    `SELECT b.raw, b.cuts, e.group_id FROM emails e
      LEFT JOIN email_bodies b ON b.project_id = e.project_id AND b.email_id = e.id WHERE e.project_id = $1 AND e.id = $2`,
    [scope.project.id, emailId],
  )
  const [found] = rows
  if (!found) return null
  if (!found.raw || !found.cuts) return found.raw ?? undefined
  const content = await findContent(scope.project.id, found.group_id)
  return content
    ? putIn(
        { kept: found.raw, cuts: found.cuts },
        content.files.map((file) => file.content),
      )
    : undefined
}
