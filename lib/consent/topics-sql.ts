import type { Preference } from "@/lib/consent/rules"
import { rowsOf, type Connection } from "@/lib/platform/database/connection"
import { Prisma } from "@/prisma/generated/client"

export type ChangedPreference = Preference & { name: string }

/**
 * Sets what a contact says about topics, which exist; answers what has changed. The transaction holds the lock of the
 * contact. Raw, because Prisma has no set-based upsert.
 */
export async function setPreferences(
  projectId: string,
  contactId: string,
  preferences: readonly Preference[],
  on: Connection,
): Promise<ChangedPreference[]> {
  if (!preferences.length) return []
  const topics = preferences.map(({ topicId }) => topicId)
  const subscriptions = preferences.map(({ subscription }) => subscription)
  return rowsOf<ChangedPreference>(
    on,
    Prisma.sql`WITH given AS (
        SELECT * FROM unnest(${topics}::uuid[], ${subscriptions}::text[]) AS g(topic_id, subscription)
      ), written AS (
        INSERT INTO topic_preferences AS p (project_id, topic_id, contact_id, subscription)
          SELECT ${projectId}::uuid, topic_id, ${contactId}::uuid, subscription FROM given ORDER BY topic_id
          ON CONFLICT (project_id, topic_id, contact_id) DO UPDATE SET subscription = excluded.subscription
            WHERE p.subscription <> excluded.subscription
          RETURNING topic_id, subscription
      )
      SELECT w.topic_id AS "topicId", w.subscription, t.name
        FROM written w JOIN topics t ON t.project_id = ${projectId}::uuid AND t.id = w.topic_id`,
  )
}

/**
 * Takes an address that is no contact out of a topic. The transaction holds the lock of the address. Raw, because callers
 * are in either kind of transaction.
 */
export async function optOut(projectId: string, topicId: string, email: string, on: Connection): Promise<void> {
  await rowsOf(
    on,
    Prisma.sql`INSERT INTO topic_opt_outs (project_id, topic_id, email)
      VALUES (${projectId}::uuid, ${topicId}::uuid, ${email}) ON CONFLICT DO NOTHING`,
  )
}

/**
 * Turns the opt-outs of a contact that is about to be deleted into those of its address. Raw, because Prisma has no INSERT
 * from a SELECT.
 */
export async function preserveOptOuts(
  projectId: string,
  contact: { id: string; email: string },
  on: Connection,
): Promise<void> {
  await rowsOf(
    on,
    Prisma.sql`INSERT INTO topic_opt_outs (project_id, topic_id, email)
      SELECT p.project_id, p.topic_id, ${contact.email} FROM topic_preferences p
        JOIN topics t ON t.project_id = p.project_id AND t.id = p.topic_id AND t.deleted_at IS NULL
        WHERE p.project_id = ${projectId}::uuid AND p.contact_id = ${contact.id}::uuid AND p.subscription = 'opt_out'
      ON CONFLICT DO NOTHING`,
  )
}

/**
 * Removes up to `batch` preferences or opt-outs of a deleted topic; answers how many. Raw, because Prisma's DELETE takes
 * no LIMIT.
 */
export async function removeOfTopic(
  topic: { id: string; projectId: string },
  batch: number,
  on: Connection,
): Promise<number> {
  const one = Prisma.sql`project_id = ${topic.projectId}::uuid AND topic_id = ${topic.id}::uuid`
  const [preferences] = await rowsOf<{ removed: number }>(
    on,
    Prisma.sql`WITH gone AS (
        DELETE FROM topic_preferences p USING (
            SELECT contact_id FROM topic_preferences WHERE ${one} ORDER BY contact_id LIMIT ${batch}
          ) AS picked WHERE ${one} AND p.contact_id = picked.contact_id RETURNING 1
      ) SELECT count(*)::int AS removed FROM gone`,
  )
  if (preferences?.removed) return preferences.removed
  const [optOuts] = await rowsOf<{ removed: number }>(
    on,
    Prisma.sql`WITH gone AS (
        DELETE FROM topic_opt_outs o USING (SELECT email FROM topic_opt_outs WHERE ${one} LIMIT ${batch}) AS picked
          WHERE ${one} AND o.email = picked.email RETURNING 1
      ) SELECT count(*)::int AS removed FROM gone`,
  )
  return optOuts?.removed ?? 0
}
