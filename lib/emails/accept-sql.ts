import type { Added, Counted } from "@/lib/access/limits/data"
import type { Send } from "@/lib/emails/admission"
import { pool } from "@/lib/platform/database/db"
import { textArray } from "@/lib/platform/database/binary-arrays"
import { counter, histogram } from "@/lib/platform/metrics"

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
export type Together = { accepted: Accepted[]; counted: ReadonlyMap<string, Counted> }

/**
 * One call of `accept_emails`: all of these sends of one project, each with its own outcome, in their order; with requests that
 * are still to be counted, `count_and_accept_emails` counts them in the same call. On `pg`, because it is the hottest path. The
 * first argument names the project.
 */
export async function acceptTogether(
  projectId: string,
  sends: readonly Send[],
  added: readonly Added[] = [],
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

/** What earlier requests with these keys were answered, by key. On `pg`, because it is part of accepting a send. */
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
