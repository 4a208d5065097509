import { addAudit } from "@/lib/access/audit-store"
import { suppressAll, type SuppressedRow } from "@/lib/consent/suppressions-sql"
import { pool, transaction } from "@/lib/platform/database/db"
import type { Scope } from "@/lib/platform/http/scope"

/** Rows of one transaction: short ones stand in nobody's way. */
const STEP = 500

/**
 * Adds addresses that the list does not hold; of one that it holds, a reason that says more takes the place of the one
 * that is there. Broken off, what was added stands, and the same import goes on from there.
 * @returns how many addresses were added
 */
export async function addSuppressions(scope: Scope, rows: readonly SuppressedRow[]): Promise<number> {
  let added = 0
  for (let at = 0; at < rows.length; at += STEP) added += await addStep(scope.project.id, rows.slice(at, at + STEP))
  await addAudit(scope, { action: "suppressions.import", changes: { rows: rows.length, added } })
  return added
}

/** How many of these addresses the list does not hold. */
export async function countNew(scope: Scope, rows: readonly SuppressedRow[]): Promise<number> {
  let known = 0
  for (let at = 0; at < rows.length; at += STEP) {
    const { rows: found } = await pool().query<{ known: number }>(
      "SELECT count(*)::int AS known FROM suppressions WHERE project_id = $1 AND email = ANY ($2)",
      [scope.project.id, rows.slice(at, at + STEP).map(({ email }) => email)],
    )
    known += found[0]?.known ?? 0
  }
  return rows.length - known
}

function addStep(projectId: string, rows: readonly SuppressedRow[]): Promise<number> {
  return transaction((client) => suppressAll(projectId, rows, client))
}
