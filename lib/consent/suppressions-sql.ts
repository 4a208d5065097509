import { lockAddresses, lockContact, lockContacts } from "@/lib/consent/locks-sql"
import { outweighs, storedReason, suppressionReasons, type SuppressionReason } from "@/lib/consent/rules"
import { rowsOf, type Connection } from "@/lib/platform/database/connection"
import type { Queryable } from "@/lib/platform/database/db"
import { lockRows } from "@/lib/platform/database/locks-sql"
import { db } from "@/lib/platform/database/scoped-db"
import { newId } from "@/lib/platform/ids"
import { cutText } from "@/lib/platform/text"
import { Prisma } from "@/prisma/generated/client"

export type SuppressionRow = {
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
 * address.
 * @returns whether the project's list has changed
 */
export async function suppress(projectId: string, given: SuppressionRow, on?: Connection): Promise<boolean> {
  if (!on) return db({ project: { id: projectId } }).$transaction((tx) => suppress(projectId, given, tx))
  const { changed } = await write(projectId, [given], on)
  return changed.length === 1
}

/** What the list has stored of an address. */
export type StoredSuppression = { id: string; createdAt: Date }

/** The same for an address suppressed on request; null if the list does not change. */
export async function suppressManually(
  projectId: string,
  email: string,
  on: Connection,
): Promise<StoredSuppression | null> {
  const { changed } = await write(projectId, [{ email, reason: "manual" }], on)
  return changed[0] ?? null
}

export type SuppressedRow = { email: string; reason: SuppressionReason }

/**
 * The same for many addresses, each given once.
 * @returns how many addresses were added
 */
export async function suppressAll(projectId: string, rows: readonly SuppressedRow[], on: Connection): Promise<number> {
  const unsubscribed = rows.filter(({ reason }) => reason === "unsubscribe").map(({ email }) => email)
  if (unsubscribed.length) {
    await lockAddresses(projectId, unsubscribed, on)
    await lockContacts(projectId, { emails: unsubscribed }, on)
  }
  const { added } = await write(projectId, rows, on)
  return added
}

/** Adds to the list, or replaces weaker reasons. Raw, because Prisma has no conditional upsert and none of many rows. */
async function write(
  projectId: string,
  given: readonly SuppressionRow[],
  on: Connection,
): Promise<{ added: number; changed: StoredSuppression[] }> {
  const unsubscribed = given.filter(({ reason }) => reason === "unsubscribe").map(({ email }) => email)
  // Not left to the list's trigger: a complaint stays on the list and hides the unsubscribe from it.
  if (unsubscribed.length) await setContactsUnsubscribed(projectId, unsubscribed, true, on)
  const rows = given.map(({ evidence, ...row }) => ({
    ...row,
    id: newId(),
    evidence: evidence === undefined ? null : cutText(evidence, 1_000),
  }))
  const changed = await rowsOf<StoredSuppression>(
    on,
    Prisma.sql`INSERT INTO suppressions AS known (id, project_id, email, reason, contact_id, email_id, event_id, evidence)
      SELECT id, ${projectId}::uuid, email, reason, contact_id, email_id, event_id, evidence
        FROM unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ email }) => email)}::text[],
            ${rows.map(({ reason }) => reason)}::text[], ${rows.map(({ contactId }) => contactId ?? null)}::uuid[],
            ${rows.map(({ emailId }) => emailId ?? null)}::uuid[], ${rows.map(({ eventId }) => eventId ?? null)}::uuid[],
            ${rows.map(({ evidence }) => evidence)}::text[])
          AS given(id, email, reason, contact_id, email_id, event_id, evidence)
        ORDER BY email
      ON CONFLICT (project_id, email) DO UPDATE SET reason = excluded.reason, email_id = excluded.email_id,
        event_id = excluded.event_id, evidence = excluded.evidence,
        contact_id = coalesce(excluded.contact_id, known.contact_id)
        WHERE excluded.reason || '>' || known.reason = ANY (${replacing}::text[])
      RETURNING id, created_at AS "createdAt"`,
    { often: true },
  )
  const added = new Set(rows.map(({ id }) => id))
  return { added: changed.filter(({ id }) => added.has(id)).length, changed }
}

/** Which reason replaces which, as `later>earlier`. */
const replacing = suppressionReasons.flatMap((later) =>
  suppressionReasons.filter((earlier) => outweighs(later, earlier)).map((earlier) => `${later}>${earlier}`),
)

export type Removed = {
  reason: SuppressionReason
  /** Whether this has subscribed its contact again. */
  resubscribed: boolean
}

/**
 * Takes an address off the list; with the reason `unsubscribe`, its contact is subscribed again (by a trigger). If another
 * reason hid the unsubscribe of a contact, that reason is removed and the unsubscribe remains until it is removed itself.
 * Null where the list does not have it. Raw, because it is behind locks, which Prisma does not have, and costs two and a half times as
 * much in a transaction of Prisma.
 */
export async function dropSuppression(projectId: string, email: string, on: Queryable): Promise<Removed | null> {
  await lockAddresses(projectId, [email], on)
  const contact = await lockContact(projectId, { email }, on)
  const where = Prisma.sql`project_id = ${projectId}::uuid AND email = ${email}`
  const [found] = await lockRows<{ reason: string }>({ columns: "reason", table: "suppressions", where }, on)
  if (!found) return null
  const reason = storedReason(found.reason)
  const staysUnsubscribed = contact?.unsubscribed && reason !== "unsubscribe"
  await rowsOf(
    on,
    staysUnsubscribed
      ? Prisma.sql`UPDATE suppressions SET reason = 'unsubscribe', email_id = NULL, event_id = NULL, evidence = NULL WHERE ${where}`
      : Prisma.sql`DELETE FROM suppressions WHERE ${where}`,
    { often: true },
  )
  return { reason, resubscribed: contact?.unsubscribed === true && !staysUnsubscribed }
}

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

/** Allows addresses again that these bounces suppressed. On `pg`, in the transaction that takes the bounces back. */
export async function takeBackBounces(
  on: Queryable,
  bounces: readonly { projectId: string; email: string; emailId: string }[],
): Promise<void> {
  await on.query(
    `DELETE FROM suppressions s USING unnest($1::uuid[], $2::text[], $3::uuid[]) AS g(project_id, email, email_id)
      WHERE s.project_id = g.project_id AND s.email = g.email AND s.email_id = g.email_id AND s.reason = 'bounce'`,
    [
      bounces.map(({ projectId }) => projectId),
      bounces.map(({ email }) => email),
      bounces.map(({ emailId }) => emailId),
    ],
  )
}

/**
 * Unsubscribes the contacts with these addresses from everything, or subscribes them again. Raw, because callers are in
 * either kind of transaction.
 */
export async function setContactsUnsubscribed(
  projectId: string,
  emails: readonly string[],
  unsubscribed: boolean,
  on: Connection,
): Promise<void> {
  await rowsOf(
    on,
    Prisma.sql`UPDATE contacts SET unsubscribed = ${unsubscribed}::boolean
      WHERE project_id = ${projectId}::uuid AND email = ANY (${emails}::text[]) AND unsubscribed <> ${unsubscribed}::boolean`,
  )
}

/**
 * Subscribes an address again: its suppression is removed if the reason is `unsubscribe`, no other is. The transaction
 * holds the lock of its contact. Raw, because callers are in either kind of transaction.
 * @returns whether there was such a suppression
 */
export async function subscribeAgain(projectId: string, email: string, on: Connection): Promise<boolean> {
  const removed = await rowsOf(
    on,
    Prisma.sql`DELETE FROM suppressions
      WHERE project_id = ${projectId}::uuid AND email = ${email} AND reason = 'unsubscribe' RETURNING id`,
  )
  // If another reason hid the unsubscribe, no suppression was removed whose trigger would clear it.
  await setContactsUnsubscribed(projectId, [email], false, on)
  return removed.length === 1
}
