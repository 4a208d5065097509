import { rowsOf, type Connection } from "@/lib/platform/database/connection"
import { Prisma } from "@/prisma/generated/client"

/**
 * Makes those who unsubscribe one of these addresses and those who add its contact wait for each other until the
 * transaction ends: each would miss what the other is about to commit. Taken before any lock on contacts. Raw, because
 * Prisma has no advisory locks.
 */
export async function lockAddresses(projectId: string, emails: readonly string[], on: Connection): Promise<void> {
  await rowsOf(
    on,
    Prisma.sql`SELECT count(pg_advisory_xact_lock(key)) FROM (
        SELECT DISTINCT hashtextextended(${projectId}::uuid || ' ' || email, 0) AS key
          FROM unnest(${emails}::text[]) AS email ORDER BY key
      ) AS ordered`,
  )
}

/**
 * Locks these contacts until the transaction ends. Whoever changes contacts and suppressions locks the contacts first, in
 * the order of their ids, so that two of them never deadlock. Raw, because Prisma has no row locks.
 */
export async function lockContacts(projectId: string, emails: readonly string[], on: Connection): Promise<void> {
  await rowsOf(
    on,
    Prisma.sql`SELECT id FROM contacts WHERE project_id = ${projectId}::uuid AND email = ANY (${emails}::text[])
      ORDER BY id FOR NO KEY UPDATE`,
  )
}

export type LockedContact = { id: string; email: string; unsubscribed: boolean }

/**
 * Locks a contact until the transaction ends; null where there is none. Whoever changes a contact, its preferences or its
 * suppression takes this lock first, so that no two of them deadlock. Raw, because Prisma has no row locks.
 */
export async function lockContact(
  projectId: string,
  by: { id: string } | { email: string },
  on: Connection,
): Promise<LockedContact | null> {
  const chosen = "id" in by ? Prisma.sql`id = ${by.id}::uuid` : Prisma.sql`email = ${by.email}`
  const [contact] = await rowsOf<LockedContact>(
    on,
    Prisma.sql`SELECT id, email, unsubscribed FROM contacts WHERE project_id = ${projectId}::uuid AND ${chosen}
      FOR NO KEY UPDATE`,
  )
  return contact ?? null
}
