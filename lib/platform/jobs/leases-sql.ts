import type { QueryResultRow } from "pg"
import { pool } from "@/lib/platform/database/db"

type Claim = {
  limit: number
  /** A further condition for the rows of a claim, with a name of its own where a table has several. */
  where?: string
  name?: string
  leaseMs: number
  /** What a claim changes besides the due time: the attempt, if the table counts them. */
  set?: string
  returning: string
}

/**
 * Claims due rows of a table, those of all projects, the longest due first; they are due again when the lease ends. On `pg`,
 * because Prisma has no SKIP LOCKED.
 */
export function claimRows<Row extends QueryResultRow>(table: string, claim: Claim): Promise<Row[]> {
  const due = `ARRAY(SELECT id FROM ${table} WHERE due_at <= now() ${claim.where ? `AND ${claim.where}` : ""}
    ORDER BY due_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED)`
  return lease<Row>(table, due, claim)
}

/**
 * The same in turn between organizations: one row of each comes before the second of any, first those of organizations that are
 * not in `served`, then in its order. The rows answer the `organizationId`.
 */
export function claimInTurn<Row extends QueryResultRow>(
  table: string,
  { served, ...claim }: Claim & { served: readonly string[] },
): Promise<Row[]> {
  const due = `ARRAY(WITH due AS MATERIALIZED (
      SELECT t.id, t.due_at, p.organization_id, row_number() OVER (PARTITION BY p.organization_id ORDER BY t.due_at) AS nth
        FROM ${table} t JOIN projects p ON p.id = t.project_id WHERE t.due_at <= now() ${claim.where ? `AND ${claim.where}` : ""}
    )
    SELECT t.id FROM due JOIN ${table} t ON t.id = due.id AND t.due_at <= now()
      ORDER BY due.nth, coalesce(array_position($3::uuid[], due.organization_id), 0), due.due_at
      LIMIT $1 FOR NO KEY UPDATE OF t SKIP LOCKED)`
  const returning = `${claim.returning}, (SELECT organization_id FROM projects WHERE id = ${table}.project_id) AS "organizationId"`
  return lease<Row>(table, due, { name: `${table}_in_turn`, ...claim, returning }, [served])
}

async function lease<Row extends QueryResultRow>(
  table: string,
  due: string,
  { limit, leaseMs, name = table, set, returning }: Claim,
  more: readonly unknown[] = [],
): Promise<Row[]> {
  const { rows } = await pool().query<Row>({
    name: `leases.claim_${name}`,
    text: `UPDATE ${table} SET due_at = now() + make_interval(secs => $2)${set ? `, ${set}` : ""}
      WHERE id = ANY (${due}) RETURNING ${returning}`,
    values: [limit, leaseMs / 1_000, ...more],
  })
  return rows
}

/**
 * Extends leases, those of all projects; answers the rows whose attempt still holds them.
 * @param held the condition under which a row is at work
 */
export async function extendLeases<Row extends { id: string; attempt: number }>(
  table: string,
  rows: readonly Row[],
  { leaseMs, held }: { leaseMs: number; held: string },
): Promise<Row[]> {
  const { rows: extended } = await pool().query<{ id: string }>({
    name: `leases.extend_${table}`,
    text: `UPDATE ${table} t SET due_at = now() + make_interval(secs => $3)
      FROM unnest($1::uuid[], $2::int[]) AS lease(id, attempt)
      WHERE t.id = lease.id AND t.attempt = lease.attempt AND ${held} RETURNING t.id`,
    values: [rows.map(({ id }) => id), rows.map(({ attempt }) => attempt), leaseMs / 1_000],
  })
  const ids = new Set(extended.map(({ id }) => id))
  return rows.filter(({ id }) => ids.has(id))
}
