import type pg from "pg"
import { addAudit } from "@/lib/access/audit-store"
import { fileHours, waitingFiles } from "@/lib/contacts/imports/rules"
import type { ContactImport } from "@/lib/contacts/imports/schema"
import { importColumns, toImport, type ImportRow, type Options } from "@/lib/contacts/imports/store"
import { pool, transaction, type Queryable } from "@/lib/platform/database/db"
import { encodeId, newId } from "@/lib/platform/ids"
import type { Scope } from "@/lib/platform/http/scope"

type NewImport = { id: string; key: string; bytes: number; options: Options }

/** Whose files leave no room for another. */
export type FilesFull = "project" | "installation"

/** Lets the worker know of a file that lies in the object store, unless too many wait already. */
export async function addImport(scope: Scope, given: NewImport): Promise<ContactImport | FilesFull> {
  return transaction(async (client) => {
    // One at a time, so that what is counted stays exact.
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended('import files', 0))")
    return (await filesFull(scope, given.bytes, client)) ?? insert(client, scope, given)
  })
}

/** Whether a file of so many bytes has no room beside those that wait; null when it has. */
export async function filesFull(scope: Scope, bytes: number, client: Queryable = pool()): Promise<FilesFull | null> {
  const { rows } = await client.query<{ full: FilesFull | null }>(
    `SELECT CASE WHEN count(*) FILTER (WHERE project_id = $1) >= $3 OR coalesce(sum(bytes) FILTER (WHERE project_id = $1), 0) + $2 > $4 THEN 'project'
        WHEN count(*) >= $5 OR coalesce(sum(bytes), 0) + $2 > $6 THEN 'installation' END AS full
      FROM imports WHERE object_key IS NOT NULL`,
    [
      scope.project.id,
      bytes,
      waitingFiles.projectCount,
      waitingFiles.projectBytes,
      waitingFiles.totalCount,
      waitingFiles.totalBytes,
    ],
  )
  return rows[0]?.full ?? null
}

/** Takes the file from a completed dry run; its key, null where there is none. */
export async function releaseCheckedFile(scope: Scope, id: string): Promise<string | null> {
  const { rows } = await pool().query<{ key: string }>(
    `UPDATE imports i SET object_key = NULL
      FROM (SELECT id, object_key FROM imports WHERE project_id = $1 AND id = $2 AND status = 'completed' AND object_key IS NOT NULL
        FOR NO KEY UPDATE) checked
      WHERE i.id = checked.id RETURNING checked.object_key AS key`,
    [scope.project.id, id],
  )
  return rows[0]?.key ?? null
}

/** An import of the rows of a dry run, whose file goes over to it; null when there is no such dry run or file any more. */
export async function addImportOfChecked(scope: Scope, id: string): Promise<ContactImport | null> {
  return transaction(async (client) => {
    const { rows } = await client.query<{ key: string; bytes: string; options: Options }>(
      `UPDATE imports i SET object_key = NULL
        FROM (SELECT id, object_key FROM imports WHERE project_id = $1 AND id = $2 AND status = 'completed'
          AND object_key IS NOT NULL AND ended_at > now() - $3 * interval '1 hour' FOR NO KEY UPDATE) checked
        WHERE i.id = checked.id RETURNING checked.object_key AS key, i.bytes, i.options`,
      [scope.project.id, id, fileHours],
    )
    const [checked] = rows
    if (!checked) return null
    const { key, bytes, options } = checked
    return insert(client, scope, { id: newId(), key, bytes: Number(bytes), options: { ...options, dryRun: false } })
  })
}

async function insert(
  client: pg.PoolClient,
  scope: Scope,
  { id, key, bytes, options }: NewImport,
): Promise<ContactImport> {
  const { principal } = scope
  const { rows } = await client.query<ImportRow>(
    `INSERT INTO imports (id, project_id, kind, status, options, object_key, bytes, due_at, created_by)
      VALUES ($1, $2, 'contacts', 'queued', $3, $4, $5, now(), $6) RETURNING ${importColumns}`,
    [id, scope.project.id, options, key, bytes, principal.kind === "session" ? principal.userId : null],
  )
  const { mode, dryRun, fileName } = options
  await addAudit(
    scope,
    { action: "contacts.import", target: encodeId("imp", id), changes: { mode, dryRun, fileName } },
    client,
  )
  return toImport(rows[0] as ImportRow)
}

/** Lets go of the files of dry runs whose time to be imported is over. */
export async function releaseCheckedFiles(now: Date): Promise<void> {
  await pool().query(
    "UPDATE imports SET object_key = NULL WHERE object_key IS NOT NULL AND due_at IS NULL AND ended_at <= $1::timestamptz - $2 * interval '1 hour'",
    [now, fileHours],
  )
}

/** Which of these objects an import is still to read. */
export async function importFilesInUse(keys: readonly string[]): Promise<Set<string>> {
  const { rows } = await pool().query<{ object_key: string }>(
    "SELECT object_key FROM imports WHERE object_key = ANY ($1)",
    [keys],
  )
  return new Set(rows.map(({ object_key }) => object_key))
}
