import { addAudit } from "@/lib/access/audit-store"
import { pool, transaction, type Queryable } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"
import type { Scope } from "@/lib/platform/http/scope"
import { lockAddresses, lockContacts, unsubscribeContacts } from "@/lib/suppressions/contact-store"
import { outweighs, suppressionReasons, type SuppressionReason } from "@/lib/suppressions/rules"

export type ImportedRow = { email: string; reason: SuppressionReason }

/** Rows of one transaction: short ones stand in nobody's way. */
const STEP = 500

/**
 * Adds addresses that the list does not hold; of one that it holds, a reason that says more takes the place of the one
 * that is there. Broken off, what was added stands, and the same import goes on from there.
 * @returns how many addresses were added
 */
export async function addSuppressions(scope: Scope, rows: readonly ImportedRow[]): Promise<number> {
  let added = 0
  for (let at = 0; at < rows.length; at += STEP) added += await addStep(scope.project.id, rows.slice(at, at + STEP))
  await addAudit(scope, { action: "suppressions.import", changes: { rows: rows.length, added } })
  return added
}

/** How many of these addresses the list does not hold. */
export async function countNew(scope: Scope, rows: readonly ImportedRow[]): Promise<number> {
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

function addStep(projectId: string, rows: readonly ImportedRow[]): Promise<number> {
  return transaction((client) => addRows(client, projectId, rows))
}

/** The rows of one step, each address once, as part of a transaction. Answers how many were added. */
export async function addRows(client: Queryable, projectId: string, rows: readonly ImportedRow[]): Promise<number> {
  const unsubscribed = rows.filter(({ reason }) => reason === "unsubscribe").map(({ email }) => email)
  const weaker = suppressionReasons.flatMap((later) =>
    suppressionReasons.filter((earlier) => outweighs(later, earlier)).map((earlier) => `${later}>${earlier}`),
  )
  if (unsubscribed.length) {
    await lockAddresses(client, projectId, unsubscribed)
    await lockContacts(client, projectId, unsubscribed)
    await unsubscribeContacts(client, projectId, unsubscribed)
  }
  const { rows: written } = await client.query<{ added: number }>(
    `WITH written AS (
        INSERT INTO suppressions AS kept (id, project_id, email, reason)
          SELECT id, $1, email, reason FROM unnest($2::uuid[], $3::text[], $4::text[]) AS given(id, email, reason)
            ORDER BY email
          ON CONFLICT (project_id, email) DO UPDATE SET reason = excluded.reason, email_id = NULL, event_id = NULL,
            evidence = NULL WHERE excluded.reason || '>' || kept.reason = ANY ($5)
          RETURNING id
      )
      SELECT count(*)::int AS added FROM written WHERE id = ANY ($2)`,
    [projectId, rows.map(newId), rows.map(({ email }) => email), rows.map(({ reason }) => reason), weaker],
  )
  return written[0]?.added ?? 0
}
