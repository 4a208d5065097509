import { outweighs, suppressionReasons, type SuppressionReason } from "@/lib/suppressions/rules"
import { pool, type Queryable } from "@/lib/platform/db"
import { newId } from "@/lib/platform/ids"

export type NewSuppression = {
  /** Canonical form of the address. */
  email: string
  reason: SuppressionReason
  contactId?: string
  emailId?: string
  eventId?: string
  /** What was seen, for the people who ask why: at most 1,000 characters are kept. */
  evidence?: string
}

/**
 * Suppresses an address in a project. It stands there once: a reason that says more takes the place of the one that is
 * there (an unsubscribe must outlive a removed bounce), any other changes nothing. Pass the client of a transaction to
 * make it part of that.
 * @returns whether the project's list has changed
 */
export async function addSuppression(
  projectId: string,
  given: NewSuppression,
  client: Queryable = pool(),
): Promise<boolean> {
  const weaker = suppressionReasons.filter((earlier) => outweighs(given.reason, earlier))
  const { rowCount } = await client.query(
    `INSERT INTO suppressions AS kept (id, project_id, email, reason, contact_id, email_id, event_id, evidence)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
      ON CONFLICT (project_id, email) DO UPDATE SET reason = excluded.reason, email_id = excluded.email_id,
        event_id = excluded.event_id, evidence = excluded.evidence,
        contact_id = coalesce(excluded.contact_id, kept.contact_id)
        WHERE kept.reason = ANY ($9)`,
    [
      newId(),
      projectId,
      given.email,
      given.reason,
      given.contactId ?? null,
      given.emailId ?? null,
      given.eventId ?? null,
      given.evidence?.slice(0, 1_000) ?? null,
      weaker,
    ],
  )
  return rowCount === 1
}
