import type { Subscription } from "@/lib/consent/rules"
import { pool } from "@/lib/platform/database/db"
import { topicOptOutSentence } from "@/lib/topics/rules"

export type AskedOptOut = { projectId: string; topicId: string; canonical: string }

/**
 * For each of these addresses, of all projects and in their order: the sentence that says that it is out of the topic, or null. On
 * `pg`, because deliveries wait for it, and a function of the database decides it.
 */
export async function findOptOuts(asked: readonly AskedOptOut[]): Promise<(string | null)[]> {
  if (!asked.length) return []
  const { rows } = await pool().query<{ place: number; name: string; byDefault: Subscription }>({
    name: "topics.find_opt_outs",
    text: `SELECT asked.place::int, t.name, t.default_subscription AS "byDefault"
      FROM unnest($1::uuid[], $2::uuid[], $3::text[]) WITH ORDINALITY AS asked(project_id, topic_id, canonical, place)
      JOIN topics t ON t.project_id = asked.project_id AND t.id = asked.topic_id
      WHERE left_topic(asked.project_id, asked.topic_id, asked.canonical)`,
    values: [
      asked.map(({ projectId }) => projectId),
      asked.map(({ topicId }) => topicId),
      asked.map(({ canonical }) => canonical),
    ],
  })
  const sentences = new Map(rows.map(({ place, ...topic }) => [place, topicOptOutSentence(topic)]))
  return asked.map((_, at) => sentences.get(at + 1) ?? null)
}
