import type { Queryable } from "@/lib/platform/database/db"

/**
 * Has whoever unsubscribes one of these addresses and whoever adds its contact wait for each other until the transaction
 * ends: each would miss what the other is about to commit. Taken before any lock on contacts.
 */
export async function lockAddresses(client: Queryable, projectId: string, emails: readonly string[]): Promise<void> {
  await client.query(
    `SELECT count(pg_advisory_xact_lock(key)) FROM (
        SELECT DISTINCT hashtextextended($1::uuid || ' ' || email, 0) AS key FROM unnest($2::text[]) AS email ORDER BY key
      ) AS ordered`,
    [projectId, emails],
  )
}

/**
 * Keeps others from changing these contacts until the transaction ends. Whoever changes contacts and suppressions
 * locks the contacts first, in the order of their ids, so that two of them never wait for each other.
 */
export async function lockContacts(client: Queryable, projectId: string, emails: readonly string[]): Promise<void> {
  await client.query(
    "SELECT id FROM contacts WHERE project_id = $1 AND email = ANY ($2) ORDER BY id FOR NO KEY UPDATE",
    [projectId, emails],
  )
}

/** Unsubscribes the contacts with these addresses from everything, as far as they are not. */
export async function unsubscribeContacts(
  client: Queryable,
  projectId: string,
  emails: readonly string[],
): Promise<void> {
  await client.query(
    "UPDATE contacts SET unsubscribed = true, updated_at = now() WHERE project_id = $1 AND email = ANY ($2) AND NOT unsubscribed",
    [projectId, emails],
  )
}
