import { pool } from "@/lib/platform/database/db"
import { columnsOf, shown } from "@/lib/platform/database/shape"
import { offset, type PageRequest } from "@/lib/platform/http/paging"
import { present } from "@/lib/platform/schema"
import type { Scope } from "@/lib/platform/http/scope"
import type { SuppressionReason } from "@/lib/consent/rules"
import type { Suppression } from "@/lib/suppressions/schema"
import type { Prisma } from "@/prisma/generated/client"

/** The contact is found by address: one that came later counts, one that was deleted does not. */
const shape = {
  id: true,
  projectId: true,
  email: true,
  reason: true,
  contactId: false,
  emailId: true,
  eventId: true,
  evidence: true,
  createdAt: true,
} as const satisfies Record<Prisma.SuppressionScalarFieldEnum, boolean>

type Row = Prisma.SuppressionGetPayload<{ select: typeof shape }> & { contactId: string | null }

const columns = `${columnsOf(shape, "s")}, c.id AS "contactId"`
const withContact = "LEFT JOIN contacts c ON c.project_id = s.project_id AND c.email = s.email"

export type SuppressionFilter = {
  reason?: SuppressionReason
  /** The canonical address. */
  email?: string
  /** Part of the canonical address. */
  search?: string
}

/** Filtered lists are counted up to here. */
const countedMax = 10_000

/**
 * Suppressions, newest first. On `pg`, because a list can have a million rows: the page is chosen before contacts are
 * joined, and a search takes its text literally.
 */
export async function listSuppressions(
  scope: Scope,
  filter: SuppressionFilter,
  request: PageRequest,
): Promise<{ data: Suppression[]; total: number }> {
  const { where, values } = conditions(scope, filter)
  const bound = values.length > 1 ? ` LIMIT ${countedMax}` : ""
  const [listed, counted] = await Promise.all([
    pool().query<Row>(
      `SELECT ${columns} FROM (
          SELECT * FROM suppressions s WHERE ${where} ORDER BY s.id DESC LIMIT $${values.length + 1} OFFSET $${values.length + 2}
        ) s ${withContact} ORDER BY s.id DESC`,
      [...values, request.size, offset(request)],
    ),
    pool().query<{ count: number }>(
      `SELECT count(*)::int AS count FROM (SELECT 1 FROM suppressions s WHERE ${where}${bound}) counted`,
      values,
    ),
  ])
  return { data: listed.rows.map(toSuppression), total: counted.rows[0]?.count ?? 0 }
}

export async function findSuppression(scope: Scope, email: string): Promise<Suppression | null> {
  const { rows } = await pool().query<Row>(
    `SELECT ${columns} FROM suppressions s ${withContact} WHERE s.project_id = $1 AND s.email = $2`,
    [scope.project.id, email],
  )
  return rows[0] ? toSuppression(rows[0]) : null
}

export type ExportedSuppression = { email: string; reason: string; createdAt: Date }

/** Rows of one step of an export: bounds its memory. */
const exportRows = 1_000

/** The whole list, newest first, in groups that are read one after the other. On `pg` (keyset over a large table). */
export async function* eachSuppression(scope: Scope): AsyncGenerator<ExportedSuppression[]> {
  let behind: string | null = null
  for (;;) {
    const { rows }: { rows: { id: string; email: string; reason: string; created_at: Date }[] } = await pool().query(
      `SELECT id, email, reason, created_at FROM suppressions WHERE project_id = $1 AND ($2::uuid IS NULL OR id < $2)
        ORDER BY id DESC LIMIT ${exportRows}`,
      [scope.project.id, behind],
    )
    if (rows.length) yield rows.map(({ email, reason, created_at }) => ({ email, reason, createdAt: created_at }))
    if (rows.length < exportRows) return
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

function toSuppression(row: Row): Suppression {
  return shown<Suppression>()({
    ...row,
    contactId: present(row.contactId),
    emailId: present(row.emailId),
    eventId: present(row.eventId),
    evidence: present(row.evidence),
  })
}
