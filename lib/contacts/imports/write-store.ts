import type { Draft, Fault, ImportMode } from "@/lib/contacts/imports/rules"
import { joinAll } from "@/lib/contacts/imports/segment-store"
import { transaction, type Queryable } from "@/lib/platform/db"
import { newId } from "@/lib/platform/ids"
import { lockContacts } from "@/lib/suppressions/contact-store"
import { addRows } from "@/lib/suppressions/import-store"

export type HeldImport = {
  id: string
  projectId: string
  /** The fence: whoever took the import later counts one more. */
  attempt: number
  mode: ImportMode
  dryRun: boolean
  segmentId: string | null
}

export type Batch = {
  /** Each address once. */
  drafts: readonly Draft[]
  refused: readonly { line: number; faults: readonly Fault[] }[]
  /** Rows, whether taken or refused; repeats of an address within the batch are rows, too. */
  rows: number
  /** Rows whose address came again further down. */
  repeated: number
  /** Of the file, up to the end of the batch. */
  bytesRead: number
}

/**
 * Writes a batch and how far the import has come in one transaction, so that a row is written once whatever dies when.
 * False when the import is not ours any more: cancelled, or taken up by another worker.
 */
export async function writeBatch(held: HeldImport, batch: Batch): Promise<boolean> {
  return transaction(async (client) => {
    const { rowCount } = await client.query(
      "SELECT 1 FROM imports WHERE project_id = $1 AND id = $2 AND attempt = $3 AND status = 'running' FOR NO KEY UPDATE",
      [held.projectId, held.id, held.attempt],
    )
    if (!rowCount) return false
    const { created, updated } = await (held.dryRun ? countKnown : write)(client, held, batch.drafts)
    const skipped = batch.drafts.length + batch.repeated - created - updated
    const repeated = held.mode === "upsert" ? batch.repeated : 0
    await client.query(
      `UPDATE imports SET processed = processed + $3, created = created + $4, updated = updated + $5, skipped = skipped + $6,
          failed = failed + $7, bytes_read = $8 WHERE project_id = $1 AND id = $2`,
      [held.projectId, held.id, batch.rows, created, updated + repeated, skipped - repeated, batch.refused.length, batch.bytesRead],
    )
    await client.query(
      `INSERT INTO import_errors (project_id, import_id, line, faults)
        SELECT $1, $2, line, faults FROM unnest($3::int[], $4::jsonb[]) AS given(line, faults)`,
      [held.projectId, held.id, batch.refused.map(({ line }) => line), batch.refused.map(({ faults }) => JSON.stringify(faults))],
    )
    return true
  })
}

type Counted = { created: number; updated: number }

async function write(client: Queryable, { projectId, mode, segmentId }: HeldImport, drafts: readonly Draft[]): Promise<Counted> {
  if (!drafts.length) return { created: 0, updated: 0 }
  await lockContacts(client, projectId, drafts.map(({ email }) => email))
  const { rows } = await client.query<{ id: string; email: string; created: boolean }>(
    `INSERT INTO contacts AS kept (id, project_id, email, first_name, last_name, phone, properties)
      SELECT id, $1, email, first_name, last_name, phone, properties
        FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::jsonb[])
          AS given(id, email, first_name, last_name, phone, properties)
        ORDER BY email
      ON CONFLICT (project_id, email) DO ${mode === "skip" ? "NOTHING" : overlay} RETURNING id, email, xmax = 0 AS created`,
    [
      projectId,
      drafts.map(newId),
      drafts.map(({ email }) => email),
      drafts.map(({ firstName }) => firstName ?? null),
      drafts.map(({ lastName }) => lastName ?? null),
      drafts.map(({ phone }) => phone ?? null),
      drafts.map(({ properties }) => JSON.stringify(properties)),
    ],
  )
  const written = new Set(rows.map(({ email }) => email))
  const leaving = drafts.filter(({ email, unsubscribed }) => unsubscribed && written.has(email))
  if (leaving.length) await addRows(client, projectId, leaving.map(({ email }) => ({ email, reason: "unsubscribe" })))
  if (segmentId) await joinAll(client, projectId, segmentId, rows.map(({ id }) => id))
  const created = rows.filter((row) => row.created).length
  return { created, updated: rows.length - created }
}

const overlay = `UPDATE SET first_name = coalesce(excluded.first_name, kept.first_name),
  last_name = coalesce(excluded.last_name, kept.last_name), phone = coalesce(excluded.phone, kept.phone),
  properties = kept.properties || excluded.properties, updated_at = now()`

async function countKnown(client: Queryable, { projectId, mode }: HeldImport, drafts: readonly Draft[]): Promise<Counted> {
  const { rows } = await client.query<{ known: number }>(
    "SELECT count(*)::int AS known FROM contacts WHERE project_id = $1 AND email = ANY ($2)",
    [projectId, drafts.map(({ email }) => email)],
  )
  const known = rows[0]?.known ?? 0
  return { created: drafts.length - known, updated: mode === "upsert" ? known : 0 }
}
