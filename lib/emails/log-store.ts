import type { Email } from "@/lib/emails/schema"
import { EMAIL_COLUMNS, toEmail, type EmailRow } from "@/lib/emails/store"
import { pool } from "@/lib/platform/db"
import { offset, type PageRequest } from "@/lib/platform/paging"
import type { Scope } from "@/lib/platform/scope"

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
  if (values.length === 1) return listAll(scope, request)
  const [listed, total] = await Promise.all([
    pool().query<EmailRow>(
      `SELECT ${EMAIL_COLUMNS} FROM emails e JOIN (
          SELECT e.id FROM emails e WHERE ${where} ORDER BY e.id DESC LIMIT $${values.length + 1} OFFSET $${values.length + 2}
        ) listed ON listed.id = e.id ORDER BY e.id DESC`,
      [...values, request.size, offset(request)],
    ),
    countFiltered(where, values),
  ])
  return { data: listed.rows.map(toEmail), total }
}

/** Page and total in one round trip: what most people ask for. Skipped rows are passed by in the index alone. */
async function listAll(scope: Scope, request: PageRequest): Promise<{ data: Email[]; total: number }> {
  const { rows } = await pool().query<EmailRow & { total: string }>(
    `SELECT ${EMAIL_COLUMNS}, a.emails AS total FROM send_allowances a
      LEFT JOIN (
        SELECT e.id FROM emails e WHERE e.project_id = $1 ORDER BY e.id DESC LIMIT $2 OFFSET $3
      ) listed ON true
      LEFT JOIN emails e ON e.id = listed.id
      WHERE a.project_id = $1 ORDER BY e.id DESC`,
    [scope.project.id, request.size, offset(request)],
  )
  // A page past the end is one row that holds the total and no email.
  return { data: rows.filter(({ id }) => id).map(toEmail), total: Number(rows[0]?.total ?? 0) }
}

/** Emails of one step of an export: bounds its memory, as the next step is read when the reader has taken this one. */
const EXPORT_STEP = 500

/** The same emails as the list, newest first, in groups that are read one after the other; without bodies. */
export async function* eachEmail(scope: Scope, filter: EmailFilter): AsyncGenerator<Email[]> {
  const { where, values } = conditions(scope, filter)
  let behind: string | undefined
  for (;;) {
    const { rows } = await pool().query<EmailRow>(
      `SELECT ${EMAIL_COLUMNS} FROM emails e WHERE ${where}${behind ? ` AND e.id < $${values.length + 1}` : ""}
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

async function countFiltered(where: string, values: unknown[]): Promise<number> {
  const { rows } = await pool().query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (SELECT 1 FROM emails e WHERE ${where} LIMIT ${COUNTED_MAX}) counted`,
    values,
  )
  return rows[0]?.count ?? 0
}
