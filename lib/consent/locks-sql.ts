import { rowsOf, type Connection } from "@/lib/platform/database/connection"
import { lockRows } from "@/lib/platform/database/locks-sql"
import { Prisma } from "@/prisma/generated/client"

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
