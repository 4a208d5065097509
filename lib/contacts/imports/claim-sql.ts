import { storedOptions, type Options } from "@/lib/contacts/imports/rules"
import type { HeldImport } from "@/lib/contacts/imports/write-sql"
import { pool } from "@/lib/platform/database/db"
import { columnsOf } from "@/lib/platform/database/shape"
import { claimRows, extendLeases } from "@/lib/platform/jobs/leases-sql"
import type { Prisma } from "@/prisma/generated/client"

export type DueImport = HeldImport & {
  key: string
  processed: number
  /** Claims since a batch was last written, this one included. */
  stalled: number
  options: Options
  cancelled: boolean
}

const shape = {
  ...{ id: true, projectId: true, attempt: true, stalled: true, status: true, options: true, processed: true },
  objectKey: true,
} as const

/** A due import has a file: its key is removed when it ends. */
type Row = Prisma.ImportGetPayload<{ select: typeof shape }> & { objectKey: string }

/**
 * Takes imports that are due, cancelled ones to clear away; they come back after the lease if their worker dies. On `pg`
 * like all of this file: leases need SKIP LOCKED and the database's time.
 */
export async function claimImports(limit: number, leaseMs: number): Promise<DueImport[]> {
  const rows = await claimRows<Row>("imports", {
    ...{ limit, leaseMs },
    set: `attempt = attempt + 1, stalled = stalled + 1, started_at = coalesce(started_at, now()),
      status = CASE status WHEN 'queued' THEN 'running' ELSE status END`,
    returning: columnsOf(shape, "imports"),
  })
  return rows.map(({ objectKey, status, options, ...row }) => {
    const read = storedOptions(options)
    const { mode, dryRun, segmentId } = read
    return { ...row, mode, dryRun, segmentId, key: objectKey, options: read, cancelled: status === "cancelled" }
  })
}

/** Extends the leases; answers the imports that are still held and not cancelled. */
export function holdImports(held: readonly DueImport[], leaseMs: number): Promise<DueImport[]> {
  return extendLeases("imports", held, { leaseMs, held: "t.status = 'running'" })
}

/**
 * Ends a held import: completed, or failed with the reason. A completed dry run keeps its file; true when the file is to be
 * removed. On `pg`, as all of this file is.
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

/** Releases an import, due at once; a shutdown does not count as a failed attempt. */
export async function releaseImport(held: HeldImport): Promise<void> {
  await postpone(held, { firstMs: 0, stalledMax: 0, uncounted: 1 })
}

/** Postpones an import that failed without progress: twice as long each time, but the last attempt follows at once. */
export async function postponeImport(
  held: HeldImport,
  { firstMs, stalledMax }: { firstMs: number; stalledMax: number },
): Promise<void> {
  await postpone(held, { firstMs, stalledMax, uncounted: 0 })
}

/** Ends the lease of an import. On `pg`, as all of this file is. */
async function postpone(
  held: HeldImport,
  { firstMs, stalledMax, uncounted }: { firstMs: number; stalledMax: number; uncounted: number },
): Promise<void> {
  await pool().query(
    `UPDATE imports SET stalled = greatest(stalled - $6, 0),
        due_at = now() + CASE WHEN stalled < $5 THEN $4 * 2 ^ greatest(stalled - 1, 0) ELSE 0 END * interval '1 millisecond'
      WHERE project_id = $1 AND id = $2 AND attempt = $3 AND due_at IS NOT NULL`,
    [held.projectId, held.id, held.attempt, firstMs, stalledMax, uncounted],
  )
}
