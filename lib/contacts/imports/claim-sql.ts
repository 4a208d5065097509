import { storedOptions, type Options } from "@/lib/contacts/imports/rules"
import type { HeldImport } from "@/lib/contacts/imports/write-sql"
import { columnsOf } from "@/lib/platform/database/shape"
import { claimRows, extendLeases } from "@/lib/platform/jobs/leases-sql"
import type { Prisma } from "@/prisma/generated/client"

export type DueImport = HeldImport & {
  key: string
  processed: number
  /** Of the file, up to the end of the last row that was written. */
  bytesRead: number
  /** Claims since a batch was last written, this one included. */
  stalled: number
  options: Options
  cancelled: boolean
}

const shape = {
  ...{ id: true, projectId: true, attempt: true, stalled: true, status: true, options: true, processed: true },
  objectKey: true,
  bytesRead: true,
} as const

/** A due import has a file: its key is removed when it ends. */
type Row = Prisma.ImportGetPayload<{ select: typeof shape }> & { objectKey: string }

/**
 * Takes imports that are due, cancelled ones to clear away; they come back after the lease if their worker dies. On `pg`,
 * as all leases.
 */
export async function claimImports(limit: number, leaseMs: number): Promise<DueImport[]> {
  const rows = await claimRows<Row>("imports", {
    ...{ limit, leaseMs },
    set: `attempt = attempt + 1, stalled = stalled + 1, started_at = coalesce(started_at, now()),
      status = CASE status WHEN 'queued' THEN 'running' ELSE status END`,
    returning: columnsOf(shape, "imports"),
  })
  return rows.map(({ objectKey, bytesRead, status, options, ...row }) => {
    const read = storedOptions(options)
    const { mode, dryRun, segmentId } = read
    return {
      ...row,
      mode,
      dryRun,
      segmentId,
      key: objectKey,
      bytesRead: Number(bytesRead),
      options: read,
      cancelled: status === "cancelled",
    }
  })
}

/** Extends the leases; answers the imports that are still held and not cancelled. */
export function holdImports(held: readonly DueImport[], leaseMs: number): Promise<DueImport[]> {
  return extendLeases("imports", held, { leaseMs, held: "t.status = 'running'" })
}
