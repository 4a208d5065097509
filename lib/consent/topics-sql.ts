import type { Preference } from "@/lib/consent/rules"
import { rowsOf, type Connection } from "@/lib/platform/database/connection"
import { Prisma } from "@/prisma/generated/client"

export type ChangedPreference = Preference & { name: string }

/**
 * Sets what a contact says about topics, which exist; answers what has changed. What it said before is replaced, or kept
 * with `known: "keep"`. The transaction holds the lock of the contact. Raw, because Prisma has no upsert of many rows.
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
        SELECT * FROM unnest(${topics}::uuid[], ${subscriptions}::text[]) AS g(topic_id, subscription)
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
