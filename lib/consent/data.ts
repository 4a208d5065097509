import { rowsOf, type Connection, type Queryable } from "@/lib/platform/database/db"
import { lockRows } from "@/lib/platform/database/locks-sql"
import { Prisma } from "@/prisma/generated/client"
import {
  outweighs,
  storedReason,
  suppressionReasons,
  type SuppressionReason,
  type Preference,
} from "@/lib/consent/rules"
import { db, type ScopedDb } from "@/lib/platform/database/scoped-db"
import { newId } from "@/lib/platform/ids"
import { cutText } from "@/lib/platform/format"

/**
 * Makes those who unsubscribe one of these addresses and those who add its contact wait for each other until the
 * transaction ends: each would miss what the other is about to commit. Taken before any lock on contacts. The project is
 * part of each key, because all projects share them. Raw, because Prisma has no advisory locks.
 */
export async function lockAddresses(projectId: string, emails: readonly string[], on: Connection): Promise<void> {
  await rowsOf(
    on,
    Prisma.sql`SELECT count(pg_advisory_xact_lock(key)) FROM (
        SELECT DISTINCT hashtextextended(${projectId}::uuid || ' ' || email, 0) AS key
          FROM unnest(${emails}::text[]) AS email ORDER BY key
      ) AS ordered`,
    { often: true },
  )
}

export type LockedContact = Pick<Prisma.ContactGetPayload<object>, "id" | "email" | "unsubscribed">

/**
 * Locks contacts until the transaction ends and answers them. Whoever changes contacts, their preferences or their
 * suppressions takes this lock first, in the order of the ids, so that no two of them deadlock.
 */
export async function lockContacts(
  projectId: string,
  by: { id: string } | { emails: readonly string[] },
  on: Connection,
): Promise<LockedContact[]> {
  const chosen = "id" in by ? Prisma.sql`id = ${by.id}::uuid` : Prisma.sql`email = ANY (${by.emails}::text[])`
  const where = Prisma.sql`project_id = ${projectId}::uuid AND ${chosen}`
  return lockRows<LockedContact>({ columns: "id, email, unsubscribed", table: "contacts", where }, on)
}

/** The same for one contact; null where there is none. */
export async function lockContact(
  projectId: string,
  by: { id: string } | { email: string },
  on: Connection,
): Promise<LockedContact | null> {
  const [contact] = await lockContacts(projectId, "id" in by ? by : { emails: [by.email] }, on)
  return contact ?? null
}

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
  if (unsubscribed.length) await lockAddresses(projectId, unsubscribed, on)
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
  if (unsubscribed.length) await lockContacts(projectId, { emails: unsubscribed }, on)
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
        contact_id = coalesce(excluded.contact_id, known.contact_id),
        also_unsubscribed = known.also_unsubscribed OR known.reason = 'unsubscribe'
        WHERE excluded.reason || '>' || known.reason = ANY (${replacing}::text[])
      RETURNING id, created_at AS "createdAt"`,
    { often: true },
  )
  // Not left to the list's trigger: a complaint stays on the list and hides the unsubscribe from it, also one of the same moment.
  if (unsubscribed.length) await setAddressesUnsubscribed(projectId, unsubscribed, true, on)
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
 * reason hid an unsubscribe, that reason is removed and the unsubscribe remains until it is removed itself.
 * Null where the list does not have it. Raw, because it is behind locks, which Prisma does not have, and costs two and a half times as
 * much in a transaction of Prisma.
 */
export async function dropSuppression(projectId: string, email: string, on: Queryable): Promise<Removed | null> {
  await lockAddresses(projectId, [email], on)
  const contact = await lockContact(projectId, { email }, on)
  const where = Prisma.sql`project_id = ${projectId}::uuid AND email = ${email}`
  const columns = `reason, also_unsubscribed AS "alsoUnsubscribed"`
  const [found] = await lockRows<{ reason: string; alsoUnsubscribed: boolean }>(
    { columns, table: "suppressions", where },
    on,
  )
  if (!found) return null
  const reason = storedReason(found.reason)
  const staysUnsubscribed = reason !== "unsubscribe" && (found.alsoUnsubscribed || contact?.unsubscribed === true)
  await rowsOf(
    on,
    staysUnsubscribed
      ? Prisma.sql`UPDATE suppressions SET reason = 'unsubscribe', also_unsubscribed = false, email_id = NULL, event_id = NULL,
          evidence = NULL WHERE ${where}`
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
 * Unsubscribes the contacts with these addresses from everything, or subscribes them again, and notes it where another reason
 * hides an unsubscribe on the list. Raw, because callers are in either kind of transaction.
 * @returns whether such a note has changed
 */
export async function setAddressesUnsubscribed(
  projectId: string,
  emails: readonly string[],
  unsubscribed: boolean,
  on: Connection,
): Promise<boolean> {
  const noted = await rowsOf(
    on,
    Prisma.sql`WITH changed AS (
        UPDATE contacts SET unsubscribed = ${unsubscribed}::boolean
          WHERE project_id = ${projectId}::uuid AND email = ANY (${emails}::text[]) AND unsubscribed <> ${unsubscribed}::boolean
      )
      UPDATE suppressions SET also_unsubscribed = ${unsubscribed}::boolean
        WHERE project_id = ${projectId}::uuid AND email = ANY (${emails}::text[]) AND reason <> 'unsubscribe'
          AND also_unsubscribed <> ${unsubscribed}::boolean RETURNING id`,
  )
  return noted.length > 0
}

/**
 * Subscribes an address again: its suppression is removed if the reason is `unsubscribe`, no other is. The transaction
 * holds the lock of its contact. Raw, because callers are in either kind of transaction.
 * @returns whether there was such a suppression, and whether another one hid the unsubscribe
 */
export async function subscribeAgain(
  projectId: string,
  email: string,
  on: Connection,
): Promise<{ removed: boolean; hidden: boolean }> {
  const removed = await rowsOf(
    on,
    Prisma.sql`DELETE FROM suppressions
      WHERE project_id = ${projectId}::uuid AND email = ${email} AND reason = 'unsubscribe' RETURNING id`,
  )
  // If another reason hid the unsubscribe, no suppression was removed whose trigger would clear it.
  const hidden = await setAddressesUnsubscribed(projectId, [email], false, on)
  return { removed: removed.length === 1, hidden }
}

export type ChangedPreference = Preference & { name: string }

/**
 * Sets what a contact says about topics; answers what has changed. Topics that have been deleted meanwhile are left out. What it
 * said before is replaced, or kept with `known: "keep"`. The transaction holds the lock of the contact. Raw, because Prisma has no
 * upsert of many rows.
 */
export async function storePreferences(
  projectId: string,
  contactId: string,
  preferences: readonly Preference[],
  { known, on }: { known: "replace" | "keep"; on: Connection },
): Promise<ChangedPreference[]> {
  if (!preferences.length) return []
  const topics = preferences.map(({ topicId }) => topicId)
  const subscriptions = preferences.map(({ subscription }) => subscription)
  return rowsOf<ChangedPreference>(
    on,
    Prisma.sql`WITH given AS (
        SELECT g.topic_id, g.subscription FROM unnest(${topics}::uuid[], ${subscriptions}::text[]) AS g(topic_id, subscription)
          JOIN (SELECT id FROM topics WHERE project_id = ${projectId}::uuid AND id = ANY (${topics}::uuid[])
            AND deleted_at IS NULL ORDER BY id FOR KEY SHARE) t ON t.id = g.topic_id
      ), written AS (
        INSERT INTO topic_preferences AS p (project_id, topic_id, contact_id, subscription)
          SELECT ${projectId}::uuid, topic_id, ${contactId}::uuid, subscription FROM given ORDER BY topic_id
          ON CONFLICT (project_id, topic_id, contact_id) DO ${onConflict[known]} RETURNING topic_id, subscription
      )
      SELECT w.topic_id AS "topicId", w.subscription, t.name
        FROM written w JOIN topics t ON t.project_id = ${projectId}::uuid AND t.id = w.topic_id`,
  )
}

const onConflict = {
  keep: Prisma.sql`NOTHING`,
  replace: Prisma.sql`UPDATE SET subscription = excluded.subscription WHERE p.subscription <> excluded.subscription`,
}

/** Takes an address that is no contact out of a topic. The transaction holds the lock of the address. */
export async function optOut(topicId: string, email: string, tx: ScopedDb): Promise<void> {
  await tx.topicOptOut.createMany({ data: [{ topicId, email }], skipDuplicates: true })
}

/** Turns the opt-outs of a contact that is about to be deleted into those of its address. */
export async function preserveOptOuts(contact: { id: string; email: string }, tx: ScopedDb): Promise<void> {
  const left = await tx.topicPreference.findMany({
    where: { contactId: contact.id, subscription: "opt_out", topic: { deletedAt: null } },
    select: { topicId: true },
  })
  const data = left.map(({ topicId }) => ({ topicId, email: contact.email }))
  if (data.length) await tx.topicOptOut.createMany({ data, skipDuplicates: true })
}

/** Removes about `batch` preferences, or opt-outs, of a deleted topic. False when none was left. */
export async function removeOfTopic(topicId: string, batch: number, on: ScopedDb): Promise<boolean> {
  const last = await on.topicPreference.findFirst({
    where: { topicId },
    select: { contactId: true },
    orderBy: { contactId: "asc" },
    skip: batch - 1,
  })
  const range = last && { contactId: { lte: last.contactId } }
  const preferences = await on.topicPreference.deleteMany({ where: { topicId, ...range } })
  if (preferences.count) return true
  const next = await on.topicOptOut.findMany({ where: { topicId }, select: { email: true }, take: batch })
  const optOuts = await on.topicOptOut.deleteMany({ where: { topicId, email: { in: next.map(({ email }) => email) } } })
  return optOuts.count > 0
}
