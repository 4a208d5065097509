import { pool } from "@/lib/platform/database/db"
import { offset, type PageRequest } from "@/lib/platform/http/paging"
import { present } from "@/lib/platform/schema"
import type { Scope } from "@/lib/platform/http/scope"
import type { SuppressionReason } from "@/lib/consent/rules"
import type { Suppression } from "@/lib/suppressions/schema"

type Row = {
  id: string
  email: string
  reason: string
  contact_id: string | null
  email_id: string | null
  event_id: string | null
  evidence: string | null
  created_at: Date
}

// The contact is looked up by address: one that came later counts, one that is gone does not.
const COLUMNS = `s.id, s.email, s.reason, c.id AS contact_id, s.email_id, s.event_id, s.evidence, s.created_at`
const WITH_CONTACT = "LEFT JOIN contacts c ON c.project_id = s.project_id AND c.email = s.email"

export type SuppressionFilter = {
  reason?: SuppressionReason
  /** The canonical address. */
  email?: string
  /** Part of the canonical address. */
  search?: string
}

/** Filtered lists are counted up to here. */
const COUNTED_MAX = 10_000

/** Suppressions, newest first. */
export async function listSuppressions(
  scope: Scope,
  filter: SuppressionFilter,
  request: PageRequest,
): Promise<{ data: Suppression[]; total: number }> {
  const { where, values } = conditions(scope, filter)
  const bound = values.length > 1 ? ` LIMIT ${COUNTED_MAX}` : ""
  const [listed, counted] = await Promise.all([
    pool().query<Row>(
      `SELECT ${COLUMNS} FROM (
          SELECT * FROM suppressions s WHERE ${where} ORDER BY s.id DESC LIMIT $${values.length + 1} OFFSET $${values.length + 2}
        ) s ${WITH_CONTACT} ORDER BY s.id DESC`,
      [...values, request.size, offset(request)],
    ),
    pool().query<{ count: number }>(
      `SELECT count(*)::int AS count FROM (SELECT 1 FROM suppressions s WHERE ${where}${bound}) counted`,
      values,
    ),
  ])
  return { data: listed.rows.map((row) => toSuppression(scope, row)), total: counted.rows[0]?.count ?? 0 }
}

export async function findSuppression(scope: Scope, email: string): Promise<Suppression | null> {
  const { rows } = await pool().query<Row>(
    `SELECT ${COLUMNS} FROM suppressions s ${WITH_CONTACT} WHERE s.project_id = $1 AND s.email = $2`,
    [scope.project.id, email],
  )
  return rows[0] ? toSuppression(scope, rows[0]) : null
}

export type ExportedSuppression = { email: string; reason: string; createdAt: Date }

/** Rows of one step of an export: bounds its memory. */
const EXPORT_STEP = 1_000

/** The whole list, newest first, in groups that are read one after the other. */
export async function* eachSuppression(scope: Scope): AsyncGenerator<ExportedSuppression[]> {
  let behind: string | null = null
  for (;;) {
    const { rows }: { rows: { id: string; email: string; reason: string; created_at: Date }[] } = await pool().query(
      `SELECT id, email, reason, created_at FROM suppressions WHERE project_id = $1 AND ($2::uuid IS NULL OR id < $2)
        ORDER BY id DESC LIMIT ${EXPORT_STEP}`,
      [scope.project.id, behind],
    )
    if (rows.length) yield rows.map(({ email, reason, created_at }) => ({ email, reason, createdAt: created_at }))
    if (rows.length < EXPORT_STEP) return
    behind = rows.at(-1)?.id ?? null
  }
}

function conditions(scope: Scope, { reason, email, search }: SuppressionFilter) {
  const values: unknown[] = [scope.project.id]
  const where = ["s.project_id = $1"]
  if (reason !== undefined) where.push(`s.reason = $${values.push(reason)}`)
  if (email !== undefined) where.push(`s.email = $${values.push(email)}`)
  if (search !== undefined) where.push(`strpos(s.email, lower($${values.push(search)})) > 0`)
  return { where: where.join(" AND "), values }
}

function toSuppression(scope: Scope, row: Row): Suppression {
  return {
    id: row.id,
    projectId: scope.project.id,
    email: row.email,
    reason: row.reason,
    contactId: present(row.contact_id),
    emailId: present(row.email_id),
    eventId: present(row.event_id),
    evidence: present(row.evidence),
    createdAt: row.created_at,
  }
}
