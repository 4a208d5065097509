import { waitingFiles, type Options } from "@/lib/contacts/imports/rules"
import { db } from "@/lib/platform/database/scoped-db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"
import type { Scope } from "@/lib/platform/http/scope"

/** Whose files leave no room for another. */
export type FilesFull = "project" | "installation"

/**
 * Whether a file of so many bytes has no room beside those that wait; null when it has. Raw, because the files of all
 * projects and those of one are counted in one pass.
 */
export async function filesFull(scope: Scope, bytes: number, on: ScopedDb = db(scope)): Promise<FilesFull | null> {
  const { projectCount, projectBytes, totalCount, totalBytes } = waitingFiles
  const projectId = scope.project.id
  const [row] = await on.$queryRaw<{ full: FilesFull | null }[]>`
    SELECT CASE
        WHEN count(*) FILTER (WHERE project_id = ${projectId}::uuid) >= ${projectCount}::int
          OR coalesce(sum(bytes) FILTER (WHERE project_id = ${projectId}::uuid), 0) + ${bytes}::bigint > ${projectBytes}::bigint
          THEN 'project'
        WHEN count(*) >= ${totalCount}::int OR coalesce(sum(bytes), 0) + ${bytes}::bigint > ${totalBytes}::bigint
          THEN 'installation' END AS full
      FROM imports WHERE object_key IS NOT NULL`
  return row?.full ?? null
}

type CheckedFile = { key: string; bytes: bigint; options: Options }

/**
 * Takes the file from a completed dry run, unless that ended longer ago; null where there is none. Raw, because the key that
 * is taken must be answered, and the age is by the database's clock.
 */
export async function takeCheckedFile(
  scope: Scope,
  id: string,
  { maxAgeHours }: { maxAgeHours?: number } = {},
  on: ScopedDb = db(scope),
): Promise<CheckedFile | null> {
  const [file] = await on.$queryRaw<CheckedFile[]>`UPDATE imports i SET object_key = NULL
    FROM (SELECT id, object_key FROM imports WHERE project_id = ${scope.project.id}::uuid AND id = ${id}::uuid
      AND status = 'completed' AND object_key IS NOT NULL
      AND (${maxAgeHours ?? null}::int IS NULL OR ended_at > now() - ${maxAgeHours ?? null}::int * interval '1 hour')
      FOR NO KEY UPDATE) checked
    WHERE i.id = checked.id RETURNING checked.object_key AS key, i.bytes, i.options`
  return file ?? null
}

/** Ends an import that has not ended; what it has written stays. Raw, because `ended_at` and `due_at` are the database's time. */
export async function endAsCancelled(scope: Scope, id: string): Promise<void> {
  await db(scope).$executeRaw`UPDATE imports SET status = 'cancelled', ended_at = now(), due_at = now()
    WHERE project_id = ${scope.project.id}::uuid AND id = ${id}::uuid AND status IN ('queued', 'running')`
}
