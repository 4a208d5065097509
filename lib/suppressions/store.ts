import { addAudit } from "@/lib/access/audit-store"
import { lockContact } from "@/lib/consent/locks-sql"
import { removeSuppression, suppressAll, suppressManually, type SuppressedRow } from "@/lib/consent/suppressions-sql"
import { transaction } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"
import { toSuppression } from "@/lib/suppressions/list-store"
import type { Suppression } from "@/lib/suppressions/schema"

/**
 * Suppresses an address because the caller asks for it; null if it is on the list, which is left as it is. Answers what was written, because
 * reading it again takes as long as writing it.
 */
export async function addManually(scope: Scope, email: string): Promise<Suppression | null> {
  const projectId = scope.project.id
  return transaction(async (client) => {
    const contact = await lockContact(projectId, { email }, client)
    const added = await suppressManually(projectId, email, client)
    if (!added) return null
    const reason = "manual"
    await addAudit(scope, { action: "suppressions.add", target: email, changes: { reason } }, client)
    const row = { ...added, projectId, email, reason, emailId: null, eventId: null, evidence: null }
    return toSuppression(row, contact?.id)
  })
}

/** Takes an address off the list, with an audit entry; false if it is not on it. */
export async function remove(scope: Scope, email: string): Promise<boolean> {
  return transaction(async (client) => {
    const removed = await removeSuppression(scope.project.id, email, client)
    if (!removed) return false
    const { reason, resubscribed } = removed
    const changes = { reason, ...(resubscribed ? { unsubscribed: [true, false] } : {}) }
    await addAudit(scope, { action: "suppressions.remove", target: email, changes }, client)
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
