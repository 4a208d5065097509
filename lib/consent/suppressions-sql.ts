import { lockAddresses, lockContacts } from "@/lib/consent/locks-sql"
import { outweighs, suppressionReasons, type SuppressionReason } from "@/lib/consent/rules"
import { rowsOf, type Connection } from "@/lib/platform/database/connection"
import { db } from "@/lib/platform/database/scoped-db"
import { newId } from "@/lib/platform/ids"
import { cutText } from "@/lib/platform/text"
import { Prisma } from "@/prisma/generated/client"

export type NewSuppression = {
  /** Canonical form of the address. */
  email: string
  reason: SuppressionReason
  contactId?: string
  emailId?: string
  eventId?: string
  /** Why, for people: the first 1,000 characters are stored. */
  evidence?: string
}

/**
 * Suppresses an address in a project, once: a reason that outweighs the stored one replaces it (an unsubscribe must
 * outlive a removed bounce), any other changes nothing. An unsubscribe also sets the global state of the contact with this
 * address. Raw, because Prisma has no conditional upsert.
 * @returns whether the project's list has changed
 */
export async function suppress(projectId: string, given: NewSuppression, on?: Connection): Promise<boolean> {
  if (!on) return db({ project: { id: projectId } }).$transaction((tx) => suppress(projectId, given, tx))
  // Not left to the list's trigger: a complaint stays on the list and hides the unsubscribe from it.
  if (given.reason === "unsubscribe") await unsubscribeContacts(projectId, [given.email], on)
  const weaker = suppressionReasons.filter((earlier) => outweighs(given.reason, earlier))
  const evidence = given.evidence === undefined ? null : cutText(given.evidence, 1_000)
  const changed = await rowsOf(
    on,
    Prisma.sql`INSERT INTO suppressions AS known (id, project_id, email, reason, contact_id, email_id, event_id, evidence)
      VALUES (${newId()}::uuid, ${projectId}::uuid, ${given.email}, ${given.reason}, ${given.contactId ?? null}::uuid,
        ${given.emailId ?? null}::uuid, ${given.eventId ?? null}::uuid, ${evidence})
      ON CONFLICT (project_id, email) DO UPDATE SET reason = excluded.reason, email_id = excluded.email_id,
        event_id = excluded.event_id, evidence = excluded.evidence,
        contact_id = coalesce(excluded.contact_id, known.contact_id)
        WHERE known.reason = ANY (${weaker}::text[])
      RETURNING id`,
  )
  return changed.length === 1
}

export type SuppressedRow = { email: string; reason: SuppressionReason }

/**
 * The same for many addresses, each given once, in one statement. Raw, because Prisma has no set-based upsert.
 * @returns how many addresses were added
 */
export async function suppressAll(projectId: string, rows: readonly SuppressedRow[], on: Connection): Promise<number> {
  const unsubscribed = rows.filter(({ reason }) => reason === "unsubscribe").map(({ email }) => email)
  if (unsubscribed.length) {
    await lockAddresses(projectId, unsubscribed, on)
    await lockContacts(projectId, unsubscribed, on)
    await unsubscribeContacts(projectId, unsubscribed, on)
  }
  const ids = rows.map(newId)
  const [written] = await rowsOf<{ added: number }>(
    on,
    Prisma.sql`WITH written AS (
        INSERT INTO suppressions AS known (id, project_id, email, reason)
          SELECT id, ${projectId}::uuid, email, reason
            FROM unnest(${ids}::uuid[], ${rows.map(({ email }) => email)}::text[], ${rows.map(({ reason }) => reason)}::text[])
              AS given(id, email, reason)
            ORDER BY email
          ON CONFLICT (project_id, email) DO UPDATE SET reason = excluded.reason, email_id = NULL, event_id = NULL,
            evidence = NULL WHERE excluded.reason || '>' || known.reason = ANY (${replacing}::text[])
          RETURNING id
      )
      SELECT count(*)::int AS added FROM written WHERE id = ANY (${ids}::uuid[])`,
  )
  return written?.added ?? 0
}

/** Which reason replaces which, as `later>earlier`. */
const replacing = suppressionReasons.flatMap((later) =>
  suppressionReasons.filter((earlier) => outweighs(later, earlier)).map((earlier) => `${later}>${earlier}`),
)

/**
 * The end of a statement that suppresses bounced addresses: `rows` selects id, project_id, email, email_id, event_id and
 * evidence. A part of a statement, because delivery records attempts, events and bounces in a single one. A bounce
 * outweighs no other reason.
 */
export const suppressBounced = (rows: string) =>
  `INSERT INTO suppressions (id, project_id, email, reason, email_id, event_id, evidence)
    SELECT id, project_id, email, 'bounce', email_id, event_id, evidence FROM (${rows}) AS bounced
      ORDER BY project_id, email
    ON CONFLICT DO NOTHING`

export type Removed = {
  reason: SuppressionReason
  /** Whether this has subscribed its contact again. */
  resubscribed: boolean
}

/**
 * Takes an address off the list; with the reason `unsubscribe`, its contact is subscribed again (by a trigger). If another
 * reason hid the unsubscribe of a contact, that reason is removed and the unsubscribe remains until it is removed itself.
 * Null where the list does not have it. Raw, because Prisma has no row locks.
 */
export async function removeSuppression(projectId: string, email: string, on: Connection): Promise<Removed | null> {
  await lockAddresses(projectId, [email], on)
  await lockContacts(projectId, [email], on)
  const [found] = await rowsOf<{ reason: SuppressionReason; unsubscribed: boolean }>(
    on,
    Prisma.sql`SELECT s.reason, coalesce(c.unsubscribed, false) AS unsubscribed FROM suppressions s
      LEFT JOIN contacts c ON c.project_id = s.project_id AND c.email = s.email
      WHERE s.project_id = ${projectId}::uuid AND s.email = ${email} FOR UPDATE OF s`,
  )
  if (!found) return null
  const staysUnsubscribed = found.unsubscribed && found.reason !== "unsubscribe"
  const one = Prisma.sql`project_id = ${projectId}::uuid AND email = ${email}`
  await rowsOf(
    on,
    staysUnsubscribed
      ? Prisma.sql`UPDATE suppressions SET reason = 'unsubscribe', email_id = NULL, event_id = NULL, evidence = NULL WHERE ${one}`
      : Prisma.sql`DELETE FROM suppressions WHERE ${one}`,
  )
  return { reason: found.reason, resubscribed: found.unsubscribed && !staysUnsubscribed }
}

/** Unsubscribes the contacts with these addresses from everything. Raw, because callers are in either kind of transaction. */
export async function unsubscribeContacts(projectId: string, emails: readonly string[], on: Connection): Promise<void> {
  await rowsOf(
    on,
    Prisma.sql`UPDATE contacts SET unsubscribed = true
      WHERE project_id = ${projectId}::uuid AND email = ANY (${emails}::text[]) AND NOT unsubscribed`,
  )
}

/**
 * Subscribes an address again: its suppression is removed if the reason is `unsubscribe`, no other is. The transaction
 * holds the lock of its contact. Raw, because callers are in either kind of transaction.
 * @returns whether there was such a suppression
 */
export async function subscribeAgain(projectId: string, email: string, on: Connection): Promise<boolean> {
  const one = Prisma.sql`project_id = ${projectId}::uuid AND email = ${email}`
  const removed = await rowsOf(
    on,
    Prisma.sql`DELETE FROM suppressions WHERE ${one} AND reason = 'unsubscribe' RETURNING id`,
  )
  // If another reason hid the unsubscribe, no suppression was removed whose trigger would clear it.
  await rowsOf(on, Prisma.sql`UPDATE contacts SET unsubscribed = false WHERE ${one} AND unsubscribed`)
  return removed.length === 1
}
