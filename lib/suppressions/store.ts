import type pg from "pg"
import { addAudit } from "@/lib/access/audit-store"
import { transaction } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"
import type { Scope } from "@/lib/platform/http/scope"
import { cutText } from "@/lib/platform/text"
import { lockAddresses, lockContacts, unsubscribeContacts } from "@/lib/suppressions/contact-store"
import { outweighs, suppressionReasons, type SuppressionReason } from "@/lib/suppressions/rules"

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
 * there (an unsubscribe must outlive a removed bounce), any other changes nothing. An unsubscribe is the global state of
 * the contact with this address, too. Pass the client of a transaction to make it part of that.
 * @returns whether the project's list has changed
 */
export async function addSuppression(
  projectId: string,
  given: NewSuppression,
  client?: pg.PoolClient,
): Promise<boolean> {
  if (!client) return transaction((own) => addSuppression(projectId, given, own))
  // Said aloud, because a complaint that is on the list stays there and hides the unsubscribe from the list's trigger.
  if (given.reason === "unsubscribe") await unsubscribeContacts(client, projectId, [given.email])
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
      given.evidence === undefined ? null : cutText(given.evidence, 1_000),
      weaker,
    ],
  )
  return rowCount === 1
}

/** Suppresses an address because the caller says so; an address that is on the list stays there as it is. */
export async function suppressByHand(scope: Scope, email: string): Promise<void> {
  await transaction(async (client) => {
    const added = await addSuppression(scope.project.id, { email, reason: "manual" }, client)
    if (added)
      await addAudit(scope, { action: "suppressions.add", target: email, changes: { reason: "manual" } }, client)
  })
}

/**
 * Takes an address off the list; with the reason `unsubscribe` its contact is subscribed again. Where another reason hid
 * the unsubscribe of a contact, that reason goes and the unsubscribe stays, until it is removed itself.
 * @returns false if the list does not hold it
 */
export async function removeSuppression(scope: Scope, email: string): Promise<boolean> {
  const projectId = scope.project.id
  return transaction(async (client) => {
    await lockAddresses(client, projectId, [email])
    await lockContacts(client, projectId, [email])
    const { rows } = await client.query<{ reason: SuppressionReason; unsubscribed: boolean }>(
      `SELECT s.reason, coalesce(c.unsubscribed, false) AS unsubscribed FROM suppressions s
        LEFT JOIN contacts c ON c.project_id = s.project_id AND c.email = s.email
        WHERE s.project_id = $1 AND s.email = $2 FOR UPDATE OF s`,
      [projectId, email],
    )
    const [found] = rows
    if (!found) return false
    const staysUnsubscribed = found.unsubscribed && found.reason !== "unsubscribe"
    if (staysUnsubscribed) {
      await client.query(
        `UPDATE suppressions SET reason = 'unsubscribe', email_id = NULL, event_id = NULL, evidence = NULL
          WHERE project_id = $1 AND email = $2`,
        [projectId, email],
      )
    } else {
      await client.query("DELETE FROM suppressions WHERE project_id = $1 AND email = $2", [projectId, email])
    }
    const changes = {
      reason: found.reason,
      ...(found.unsubscribed && !staysUnsubscribed ? { unsubscribed: [true, false] } : {}),
    }
    await addAudit(scope, { action: "suppressions.remove", target: email, changes }, client)
    return true
  })
}
