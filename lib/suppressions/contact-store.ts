import type { Queryable } from "@/lib/platform/db"

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
export async function unsubscribeContacts(client: Queryable, projectId: string, emails: readonly string[]): Promise<void> {
  await client.query(
    "UPDATE contacts SET unsubscribed = true, updated_at = now() WHERE project_id = $1 AND email = ANY ($2) AND NOT unsubscribed",
    [projectId, emails],
  )
}
