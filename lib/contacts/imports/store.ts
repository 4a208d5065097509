import type { Target } from "@/lib/contacts/imports/column-rules"
import { fileHours, type ImportMode, type ImportStatus } from "@/lib/contacts/imports/rules"
import type { ContactImport, ImportError } from "@/lib/contacts/imports/schema"
import type { HeldImport } from "@/lib/contacts/imports/write-sql"
import { pool } from "@/lib/platform/database/db"
import { offset, type PageRequest } from "@/lib/platform/http/paging"
import { present } from "@/lib/platform/schema"
import type { Scope } from "@/lib/platform/http/scope"

/** How a file is to be read, and what is to become of its rows. */
export type Options = {
  mode: ImportMode
  dryRun: boolean
  delimiter: string
  header: string[]
  targets: Target[]
  fileName: string | null
  segmentId: string | null
}

/** Everything that is shown of an import. */
export const importColumns = `id, project_id, status, options, bytes, bytes_read, processed, created, updated, skipped, failed, failure,
  created_at, started_at, ended_at,
  object_key IS NOT NULL AND status = 'completed' AND ended_at > now() - interval '${fileHours} hours' AS has_file`

/** Imports that are not over yet. */
export async function openImports(scope: Scope): Promise<number> {
  const { rows } = await pool().query<{ open: number }>(
    "SELECT count(*)::int AS open FROM imports WHERE project_id = $1 AND status IN ('queued', 'running')",
    [scope.project.id],
  )
  return rows[0]?.open ?? 0
}

export async function listImports(
  scope: Scope,
  request: PageRequest,
): Promise<{ data: ContactImport[]; total: number }> {
  const { rows } = await pool().query<ImportRow & { total: number }>(
    `SELECT ${importColumns}, count(*) OVER ()::int AS total FROM imports WHERE project_id = $1 AND kind = 'contacts'
      ORDER BY id DESC LIMIT $2 OFFSET $3`,
    [scope.project.id, request.size, offset(request)],
  )
  return { data: rows.map(toImport), total: rows[0]?.total ?? 0 }
}

export async function findImport(scope: Scope, id: string): Promise<ContactImport | null> {
  const { rows } = await pool().query<ImportRow>(
    `SELECT ${importColumns} FROM imports WHERE project_id = $1 AND id = $2`,
    [scope.project.id, id],
  )
  return rows[0] ? toImport(rows[0]) : null
}

/** Ends an import that is not over; what it has written stays. What it is now, or null when there is none. */
export async function cancelImport(scope: Scope, id: string): Promise<ContactImport | null> {
  await pool().query(
    "UPDATE imports SET status = 'cancelled', ended_at = now(), due_at = now() WHERE project_id = $1 AND id = $2 AND status IN ('queued', 'running')",
    [scope.project.id, id],
  )
  return findImport(scope, id)
}

export async function listErrors(scope: Scope, id: string, request: PageRequest): Promise<ImportError[]> {
  const { rows } = await pool().query<ImportError>(
    "SELECT line, faults FROM import_errors WHERE project_id = $1 AND import_id = $2 ORDER BY line LIMIT $3 OFFSET $4",
    [scope.project.id, id, request.size, offset(request)],
  )
  return rows
}

export type DueImport = HeldImport & {
  key: string
  processed: number
  /** Times that it was taken up since a batch was written last, this one among them. */
  stalled: number
  options: Options
  cancelled: boolean
}

/** Takes imports that are due, cancelled ones to clear away; they come back after the lease if their worker dies. */
export async function claimImports(limit: number, leaseMs: number): Promise<DueImport[]> {
  const { rows } = await pool().query<{
    id: string
    project_id: string
    attempt: number
    stalled: number
    status: ImportStatus
    options: Options
    object_key: string
    processed: number
  }>(
    `UPDATE imports SET attempt = attempt + 1, stalled = stalled + 1, due_at = now() + $2 * interval '1 millisecond',
        status = CASE status WHEN 'queued' THEN 'running' ELSE status END, started_at = coalesce(started_at, now())
      WHERE id IN (SELECT id FROM imports WHERE due_at <= now() ORDER BY due_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED)
      RETURNING id, project_id, attempt, stalled, status, options, object_key, processed`,
    [limit, leaseMs],
  )
  return rows.map(({ id, project_id, attempt, stalled, status, options, object_key, processed }) => ({
    id,
    projectId: project_id,
    attempt,
    mode: options.mode,
    dryRun: options.dryRun,
    segmentId: options.segmentId,
    key: object_key,
    processed,
    stalled,
    options,
    cancelled: status === "cancelled",
  }))
}

/** Prolongs the leases; answers the imports that are still held and wanted. */
export async function holdImports(held: readonly DueImport[], leaseMs: number): Promise<DueImport[]> {
  const { rows } = await pool().query<{ id: string }>(
    `UPDATE imports i SET due_at = now() + $3 * interval '1 millisecond'
      FROM unnest($1::uuid[], $2::int[]) AS held(id, attempt)
      WHERE i.id = held.id AND i.attempt = held.attempt AND i.status = 'running' RETURNING i.id`,
    [held.map(({ id }) => id), held.map(({ attempt }) => attempt), leaseMs],
  )
  const ours = new Set(rows.map(({ id }) => id))
  return held.filter(({ id }) => ours.has(id))
}

/**
 * Ends an import of ours: completed, or failed with the reason. Nothing is due any more. A completed dry run keeps its
 * file; true when the file is to be removed.
 */
export async function endImport(held: HeldImport, failure: string | null): Promise<boolean> {
  const { rows } = await pool().query<{ object_key: string | null }>(
    `UPDATE imports SET due_at = NULL, failure = $4,
        object_key = CASE WHEN status = 'running' AND $4::text IS NULL AND $5 THEN object_key END,
        status = CASE WHEN status <> 'running' THEN status WHEN $4::text IS NULL THEN 'completed' ELSE 'failed' END,
        bytes_read = CASE WHEN status = 'running' AND $4::text IS NULL THEN bytes ELSE bytes_read END,
        ended_at = coalesce(ended_at, now())
      WHERE project_id = $1 AND id = $2 AND attempt = $3 RETURNING object_key`,
    [held.projectId, held.id, held.attempt, failure, held.dryRun],
  )
  return rows[0] !== undefined && rows[0].object_key === null
}

/** Gives an import back to be taken up at once; that it was stopped does not count against it. */
export async function releaseImport(held: HeldImport): Promise<void> {
  await pool().query(
    `UPDATE imports SET due_at = now(), stalled = greatest(stalled - 1, 0)
      WHERE project_id = $1 AND id = $2 AND attempt = $3 AND due_at IS NOT NULL`,
    [held.projectId, held.id, held.attempt],
  )
}

/** Puts off an import that broke off: for longer each time that it came no further, but for the last. */
export async function postponeImport(
  held: HeldImport,
  { firstMs, stalledMax }: { firstMs: number; stalledMax: number },
): Promise<void> {
  await pool().query(
    `UPDATE imports SET due_at = now() + CASE WHEN stalled < $5 THEN $4 * 2 ^ greatest(stalled - 1, 0) ELSE 0 END * interval '1 millisecond'
      WHERE project_id = $1 AND id = $2 AND attempt = $3 AND due_at IS NOT NULL`,
    [held.projectId, held.id, held.attempt, firstMs, stalledMax],
  )
}

export type ImportRow = {
  id: string
  project_id: string
  status: ImportStatus
  options: Options
  has_file: boolean
  bytes: string
  bytes_read: string
  processed: number
  created: number
  updated: number
  skipped: number
  failed: number
  failure: string | null
  created_at: Date
  started_at: Date | null
  ended_at: Date | null
}

export function toImport(row: ImportRow): ContactImport {
  const { mode, dryRun, fileName, header, targets, segmentId } = row.options
  return {
    id: row.id,
    object: "contact_import",
    projectId: row.project_id,
    status: row.status,
    mode,
    dryRun,
    fileName: present(fileName),
    segmentId: present(segmentId),
    columns: header.map((name, at) => ({ name, target: targets[at] ?? null })),
    bytes: Number(row.bytes),
    bytesRead: Number(row.bytes_read),
    processed: row.processed,
    created: row.created,
    updated: row.updated,
    skipped: row.skipped,
    failed: row.failed,
    fileUntil: row.has_file && row.ended_at ? new Date(row.ended_at.getTime() + fileHours * 3600_000) : undefined,
    failure: present(row.failure),
    createdAt: row.created_at,
    startedAt: present(row.started_at),
    endedAt: present(row.ended_at),
  }
}
