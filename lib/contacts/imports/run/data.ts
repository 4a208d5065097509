import { lockAddresses, lockContacts, suppressAll } from "@/lib/consent/data"
import { keepDeclared } from "@/lib/contact-properties/data"
import { contactFieldNames, propertiesBytesMax } from "@/lib/contacts/rules"
import { storedFault, type ImportFailure } from "@/lib/contacts/imports/failure"
import {
  addToGroups,
  type Draft,
  type FaultGroup,
  type ImportMode,
  keptCells,
  layRows,
  type Options,
  type RefusedRow,
  type Row,
  storedOptions,
} from "@/lib/contacts/imports/rules"
import { databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import { type Queryable, transaction } from "@/lib/platform/database/db"
import { lockRow, lockRows } from "@/lib/platform/database/locks-sql"
import { db } from "@/lib/platform/database/scoped-db"
import { columnOf, columnsOf } from "@/lib/platform/database/shape"
import { newId } from "@/lib/platform/ids"
import { claimInTurn, extendLeases } from "@/lib/platform/jobs/leases-sql"
import { join } from "@/lib/segments/data"
import { Prisma } from "@/prisma/generated/client"

/**
 * Ends a held import: completed, or failed with the reason. A completed dry run keeps its file; true when the file is to be
 * removed.
 */
export async function endImport(held: HeldImport, failure: ImportFailure | null): Promise<boolean> {
  const { id, attempt, dryRun } = held
  const scope = { project: { id: held.projectId } }
  return db(scope).$transaction(async (tx) => {
    await lockRow({ of: scope, table: "imports" }, id, tx)
    const row = await tx.import.findUnique({
      where: { id, attempt },
      select: { status: true, bytes: true, endedAt: true },
    })
    if (!row) return false
    const ran = row.status === "running"
    const isCompleted = ran && failure === null
    const keepsFile = isCompleted && dryRun
    // None while its organization is being moved: it ends in the other cell.
    const { count } = await tx.import.updateMany({
      where: { id },
      data: {
        ...{ dueAt: null, failureCode: failure?.code ?? null, failureFacts: failure?.facts ?? Prisma.DbNull },
        endedAt: row.endedAt ?? (await databaseTime(tx)),
        ...(ran && { status: isCompleted ? "completed" : "failed" }),
        ...(isCompleted && { bytesRead: row.bytes }),
        ...(!keepsFile && { objectKey: null }),
      },
    })
    return count > 0 && !keepsFile
  })
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

/** Ends the lease of an import if this worker still holds it. */
async function postpone(
  { projectId, id, attempt }: HeldImport,
  { firstMs, stalledMax, uncounted }: { firstMs: number; stalledMax: number; uncounted: number },
): Promise<void> {
  const within = db({ project: { id: projectId } })
  const row = await within.import.findUnique({ where: { id, attempt }, select: { stalled: true } })
  if (!row) return
  const waitMs = row.stalled < stalledMax ? firstMs * 2 ** Math.max(row.stalled - 1, 0) : 0
  await within.import.updateMany({
    where: { id, attempt, dueAt: { not: null } },
    data: {
      stalled: Math.max(row.stalled - uncounted, 0),
      dueAt: secondsAfter(await databaseTime(within), waitMs / 1_000),
    },
  })
}

export type DueImport = HeldImport & {
  organizationId: string
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
type DueRow = Prisma.ImportGetPayload<{ select: typeof shape }> & { objectKey: string; organizationId: string }

// On `pg` from here on: leases over all projects, and writes of whole batches in one statement.

/**
 * Takes imports that are due, cancelled ones to clear away, in turn between organizations; they come back after the lease if their
 * worker dies.
 */
export async function claimImports(
  limit: number,
  leaseMs: number,
  served: readonly string[] = [],
): Promise<DueImport[]> {
  const rows = await claimInTurn<DueRow>("imports", {
    ...{ limit, leaseMs, served },
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

type HeldImport = {
  id: string
  projectId: string
  /** The fencing token: each claim adds one. */
  attempt: number
  mode: ImportMode
  dryRun: boolean
  segmentId: string | null
}

export type Batch = {
  /** By address, in the order of the file. */
  rows: ReadonlyMap<string, readonly Row[]>
  refused: readonly RefusedRow[]
  /** Of the file, up to the end of the batch. */
  bytesRead: number
}

/**
 * Writes a batch and the progress of the import in one transaction, so that each row is written once whatever dies when.
 * False when the import has been cancelled or claimed by another worker. On `pg` like all of this file: imports write a
 * million rows, in sets.
 */
export async function writeBatch(held: HeldImport, batch: Batch): Promise<boolean> {
  return transaction(async (client) => {
    const { projectId, id, attempt } = held
    const own = Prisma.sql`project_id = ${projectId}::uuid AND id = ${id}::uuid AND attempt = ${attempt}::int`
    const where = Prisma.sql`${own} AND status = 'running'`
    const [locked] = await lockRows<{ errors: FaultGroup[] }>({ columns: "errors", table: "imports", where }, client)
    if (!locked) return false
    if (!held.dryRun) await lockAddresses(held.projectId, [...batch.rows.keys()], client)
    const rows = held.dryRun ? batch.rows : await withoutDeleted(held.projectId, batch.rows, client)
    const { created, updated, skipped, refused: oversized } = await settle(client, held, rows)
    const refused = [...batch.refused, ...oversized]
    await client.query(
      `WITH errors AS (
          INSERT INTO import_errors (project_id, import_id, line, faults, cells)
            SELECT $1, $2, line, faults, cells FROM unnest($9::int[], $10::jsonb[], $11::jsonb[]) AS given(line, faults, cells)
        )
        UPDATE imports SET processed = processed + $3, created = created + $4, updated = updated + $5, skipped = skipped + $6,
          failed = failed + $7, bytes_read = $8, stalled = 0, errors = $12::jsonb WHERE project_id = $1 AND id = $2`,
      [
        held.projectId,
        held.id,
        created + updated + skipped + refused.length,
        created,
        updated,
        skipped,
        refused.length,
        batch.bytesRead,
        refused.map(({ line }) => line),
        refused.map(({ faults }) => JSON.stringify(faults.map(storedFault))),
        refused.map(({ cells }) => JSON.stringify(keptCells(cells))),
        JSON.stringify(addToGroups(locked.errors, refused)),
      ],
    )
    return true
  })
}

/** Without values of properties that were deleted since the rows were read: nothing would remove them. */
async function withoutDeleted(projectId: string, rows: Batch["rows"], client: Queryable): Promise<Batch["rows"]> {
  const given = new Set([...rows.values()].flat().flatMap(({ draft }) => Object.keys(draft.properties)))
  const kept = await keepDeclared(projectId, [...given], client)
  if (kept.size === given.size) return rows
  const without = ({ draft, ...row }: Row): Row => {
    const properties = Object.fromEntries(Object.entries(draft.properties).filter(([key]) => kept.has(key)))
    return { ...row, draft: { ...draft, properties } }
  }
  return new Map([...rows].map(([email, of]) => [email, of.map(without)]))
}

type Outcome = { created: number; updated: number; skipped: number; refused: RefusedRow[] }

/** Sorts the rows of a batch into outcomes and writes them; a dry run writes nothing. */
async function settle(client: Queryable, held: HeldImport, rows: Batch["rows"]): Promise<Outcome> {
  if (rows.size === 0) return { created: 0, updated: 0, skipped: 0, refused: [] }
  if (!held.dryRun) await lockContacts(held.projectId, { emails: [...rows.keys()] }, client)
  const known = await findKnown(client, held.projectId, rows)
  const fates = [...rows].map(([email, given]) => fateOf(email, given, { known, mode: held.mode }))
  const missed = held.dryRun ? new Map() : await write(client, held, { fates, known, rows })

  // Contacts that others have added since we read are known by now, and locked in the next round.
  const { created, updated, skipped, refused } = await settle(client, held, missed)
  const settled = fates.filter(({ email }) => !missed.has(email))
  const sum = (count: "created" | "updated" | "skipped", start: number) =>
    settled.reduce((all, fate) => all + fate[count], start)
  return {
    created: sum("created", created),
    updated: sum("updated", updated),
    skipped: sum("skipped", skipped),
    refused: [...settled.flatMap((fate) => fate.refused), ...refused],
  }
}

/** What becomes of the rows of one address: counts, refusals, and what is to be written. */
type Fate = Outcome & { email: string; draft: Draft | null }

function fateOf(email: string, rows: readonly Row[], { known, mode }: { known: Known; mode: ImportMode }): Fate {
  const fate = { email, draft: null, created: 0, updated: 0, skipped: 0, refused: [] }
  const isNew = !known.has(email)
  if (mode === "skip")
    return {
      ...fate,
      draft: isNew ? (rows[0]?.draft ?? null) : null,
      created: Number(isNew),
      skipped: rows.length - Number(isNew),
    }
  const { draft, taken, refused } = layRows(rows, known.get(email) ?? {})
  const created = Number(isNew && draft !== null)
  return { ...fate, draft, created, updated: taken - created, refused }
}

/** The properties of contacts that are there, by address; null where they are small enough for whatever the rows add. */
type Known = ReadonlyMap<string, Record<string, string> | null>

async function findKnown(client: Queryable, projectId: string, rows: Batch["rows"]): Promise<Known> {
  const bytesOf = ({ draft }: Row) => Buffer.byteLength(JSON.stringify(draft.properties))
  const { rows: found } = await client.query<{ email: string; properties: Record<string, string> | null }>(
    `SELECT c.email, CASE WHEN octet_length(c.properties::text) + given.bytes > $4 THEN c.properties END AS properties
      FROM unnest($2::text[], $3::int[]) AS given(email, bytes) JOIN contacts c ON c.project_id = $1 AND c.email = given.email`,
    [
      projectId,
      [...rows.keys()],
      [...rows.values()].map((given) => given.reduce((sum, row) => sum + bytesOf(row), 0)),
      propertiesBytesMax,
    ],
  )
  return new Map(found.map(({ email, properties }) => [email, properties]))
}

/** Answers the rows of addresses that others have added since `known` was read: those are left as they are. */
async function write(
  client: Queryable,
  { projectId, mode, segmentId }: HeldImport,
  { fates, known, rows }: { fates: readonly Fate[]; known: Known; rows: Batch["rows"] },
): Promise<Batch["rows"]> {
  const drafts = fates.flatMap(({ draft }) => draft ?? [])
  if (!drafts.length) return new Map()
  const { rows: written } = await client.query<{ id: string; email: string }>(
    `INSERT INTO contacts AS known (id, project_id, email, properties, ${fieldColumns})
      SELECT id, $1, email, properties, ${fieldColumns}
        FROM unnest($2::uuid[], $3::text[], $4::jsonb[], ${fieldLists}) AS given(id, email, properties, ${fieldColumns})
        ORDER BY email
      ON CONFLICT (project_id, email) DO ${mode === "skip" ? "NOTHING" : `${overlay} WHERE known.email = ANY ($${5 + contactFieldNames.length})`} RETURNING id, email`,
    [
      projectId,
      drafts.map(newId),
      drafts.map(({ email }) => email),
      drafts.map(({ properties }) => JSON.stringify(properties)),
      ...contactFieldNames.map((field) => drafts.map((draft) => draft[field] ?? null)),
      ...(mode === "skip" ? [] : [[...known.keys()]]),
    ],
  )
  const done = new Set(written.map(({ email }) => email))
  const leaving = drafts.filter(({ email, unsubscribed }) => unsubscribed && done.has(email))
  if (leaving.length)
    await suppressAll(
      projectId,
      leaving.map(({ email }) => ({ email, reason: "unsubscribe" })),
      client,
    )
  if (segmentId) await join(projectId, { contactIds: written.map(({ id }) => id), segmentIds: [segmentId] }, client)
  return new Map(drafts.flatMap(({ email }) => (done.has(email) ? [] : [[email, rows.get(email) ?? []]])))
}

const fieldColumns = contactFieldNames.map(columnOf).join(", ")
const fieldLists = contactFieldNames.map((_, at) => `$${at + 5}::text[]`).join(", ")
const overlay = `UPDATE SET ${contactFieldNames.map((field) => `${columnOf(field)} = coalesce(excluded.${columnOf(field)}, known.${columnOf(field)})`).join(", ")},
  properties = known.properties || excluded.properties`
