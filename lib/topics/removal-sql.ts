import { removeOfTopic } from "@/lib/consent/topics-store"
import { pool } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"
import type { Scope } from "@/lib/platform/http/scope"
import { db } from "@/lib/platform/database/scoped-db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"

/** Hides a topic; false when there is none. Raw, because Prisma cannot write the database's time. */
export async function markDeleted(scope: Scope, id: string, tx: ScopedDb): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE topics SET deleted_at = now()
      WHERE project_id = ${scope.project.id}::uuid AND id = ${id}::uuid AND deleted_at IS NULL`
  return count === 1
}

/**
 * Has the segments whose filters name a topic evaluate every contact again: its default applies to contacts without a
 * preference, of which no row tells. Raw, because Prisma has no `jsonb_path_exists` and takes no row locks in order.
 */
export async function renewSegmentsOf(scope: Scope, topicId: string, tx: ScopedDb): Promise<void> {
  await tx.$executeRaw`
    UPDATE segments SET pass_due_at = now(), pass_attempt = pass_attempt + 1, pass_cursor = NULL, pass_done = 0
      WHERE id IN (SELECT id FROM segments WHERE project_id = ${scope.project.id}::uuid AND filter IS NOT NULL
        AND jsonb_path_exists(filter, '$.**.topicId ? (@ == $id)', jsonb_build_object('id', ${encodeId("top", topicId)}::text))
        ORDER BY id FOR NO KEY UPDATE)`
}

export type HiddenTopic = { id: string; projectId: string }

/** Topics whose preferences are still to be removed. On `pg`, because the job serves all projects. */
export async function hiddenTopics(id?: string): Promise<HiddenTopic[]> {
  const { rows } = await pool().query<HiddenTopic>(
    `SELECT id, project_id AS "projectId" FROM topics
      WHERE deleted_at IS NOT NULL AND ($1::uuid IS NULL OR id = $1) ORDER BY id LIMIT 10`,
    [id ?? null],
  )
  return rows
}

/** Removes up to `batch` preferences and opt-outs of a hidden topic, then the topic. False when nothing is left of it. */
export async function removePreferences(topic: HiddenTopic, batch: number): Promise<boolean> {
  const project = db({ project: { id: topic.projectId } })
  if (await removeOfTopic(topic.id, batch, project)) return true
  await project.topic.deleteMany({ where: { id: topic.id } })
  return false
}
