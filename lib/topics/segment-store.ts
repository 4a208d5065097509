import type { Queryable } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"

/**
 * Has the segments whose filters ask for a topic look at every contact again: for its default holds of contacts that
 * never said anything, and of whose change no row tells.
 */
export async function renewSegmentsOf(client: Queryable, projectId: string, topicId: string): Promise<void> {
  await client.query(
    `UPDATE segments SET pass_due_at = now(), pass_attempt = pass_attempt + 1, pass_cursor = NULL, pass_done = 0
      WHERE id IN (SELECT id FROM segments WHERE project_id = $1 AND filter IS NOT NULL
        AND jsonb_path_exists(filter, '$.**.topicId ? (@ == $id)', jsonb_build_object('id', $2::text))
        ORDER BY id FOR NO KEY UPDATE)`,
    [projectId, encodeId("top", topicId)],
  )
}
