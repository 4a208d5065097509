import { addAudit } from "@/lib/access/audit-store"
import { suppress, suppressAll, type SuppressedRow } from "@/lib/consent/suppressions-sql"
import { removeSuppression } from "@/lib/consent/suppressions-store"
import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"

/** Suppresses an address because the caller asks for it; an address that is on the list is left as it is. */
export async function addManually(scope: Scope, email: string): Promise<void> {
  await db(scope).$transaction(async (tx) => {
    const added = await suppress(scope.project.id, { email, reason: "manual" }, tx)
    if (added) await addAudit(scope, { action: "suppressions.add", target: email, changes: { reason: "manual" } }, tx)
  })
}

/** Takes an address off the list, with an audit entry; false if it is not on it. */
export async function remove(scope: Scope, email: string): Promise<boolean> {
  return db(scope).$transaction(async (tx) => {
    const removed = await removeSuppression(scope.project.id, email, tx)
    if (!removed) return false
    const { reason, resubscribed } = removed
    const changes = { reason, ...(resubscribed ? { unsubscribed: [true, false] } : {}) }
    await addAudit(scope, { action: "suppressions.remove", target: email, changes }, tx)
    return true
  })
}

/** Rows of one transaction, so that none holds its locks for long. */
const stepRows = 500

/**
 * Adds addresses that the list does not have; of one that it has, a reason that outweighs the stored one replaces it. If it
 * is interrupted, the rows added so far remain, and the same import continues from there.
 * @returns how many addresses were added
 */
export async function addSuppressions(scope: Scope, rows: readonly SuppressedRow[]): Promise<number> {
  let added = 0
  for (const step of stepsOf(rows)) {
    added += await db(scope).$transaction((tx) => suppressAll(scope.project.id, step, tx))
  }
  await addAudit(scope, { action: "suppressions.import", changes: { rows: rows.length, added } })
  return added
}

/** How many of these addresses the list does not have. */
export async function countNew(scope: Scope, rows: readonly SuppressedRow[]): Promise<number> {
  let known = 0
  for (const step of stepsOf(rows)) {
    known += await db(scope).suppression.count({ where: { email: { in: step.map(({ email }) => email) } } })
  }
  return rows.length - known
}

function stepsOf(rows: readonly SuppressedRow[]): (readonly SuppressedRow[])[] {
  return Array.from({ length: Math.ceil(rows.length / stepRows) }, (_, at) =>
    rows.slice(at * stepRows, (at + 1) * stepRows),
  )
}
