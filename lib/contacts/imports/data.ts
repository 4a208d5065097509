import { addAudit } from "@/lib/access/audit/data"
import { faultDetail, type StoredFault, failureSentence, type ImportFailure } from "@/lib/contacts/imports/failure"
import {
  type FaultGroup,
  fileHours,
  type ImportStatus,
  openImportStatuses,
  type Options,
  rowText,
  storedOptions,
  waitingFiles,
} from "@/lib/contacts/imports/rules"
import type { ContactImport, ImportError } from "@/lib/contacts/imports/schema"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { unscoped, unscopedTransaction } from "@/lib/platform/database/db"
import { takeLock } from "@/lib/platform/database/locks-sql"
import { db, type ScopedDb } from "@/lib/platform/database/scoped-db"
import { shown } from "@/lib/platform/database/shape"
import { counted, type PageRequest, sliceOf } from "@/lib/platform/http/paging"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId, newId } from "@/lib/platform/ids"
import { log } from "@/lib/platform/log"
import { present } from "@/lib/platform/schema"
import { storage, sweepObjects } from "@/lib/platform/storage/storage"
import { hourMs } from "@/lib/platform/time"
import type { Prisma } from "@/prisma/generated/client"

const shape = {
  id: true,
  projectId: true,
  kind: false,
  status: true,
  options: true,
  objectKey: true,
  total: false,
  processed: true,
  created: true,
  updated: true,
  skipped: true,
  failed: true,
  errors: true,
  bytes: true,
  bytesRead: true,
  failure: true,
  failureCode: true,
  failureFacts: true,
  attempt: false,
  stalled: false,
  dueAt: false,
  createdBy: false,
  startedAt: true,
  endedAt: true,
  createdAt: true,
} as const satisfies Record<Prisma.ImportScalarFieldEnum, boolean>

type Row = Prisma.ImportGetPayload<{ select: typeof shape }>

const open = { status: { in: [...openImportStatuses] } }

/** Imports that have not ended yet. */
export async function openImports(scope: Scope): Promise<number> {
  return db(scope).import.count({ where: open })
}

export async function listImports(
  scope: Scope,
  request: PageRequest,
): Promise<{ data: ContactImport[]; total: number }> {
  const where = { kind: "contacts" }
  const { rows, total } = await counted(
    request,
    db(scope).import.findMany({ where, select: shape, orderBy: { id: "desc" }, ...sliceOf(request) }),
    () => db(scope).import.count({ where }),
  )
  return { data: rows.map(toImport), total }
}

/** With its faults in groups, those of most rows first. */
export async function findImport(scope: Scope, id: string): Promise<ContactImport | null> {
  const row = await db(scope).import.findUnique({ where: { id }, select: shape })
  if (!row) return null
  return { ...toImport(row), errorGroups: groupsOf(row.errors).toSorted((one, other) => other.rows - one.rows) }
}

const errorShape = { line: true, faults: true, row: true, cells: true } as const

export async function listErrors(scope: Scope, id: string, request: PageRequest): Promise<ImportError[]> {
  const [found, rows] = await Promise.all([
    db(scope).import.findUnique({ where: { id }, select: { options: true } }),
    db(scope).importError.findMany({
      where: { importId: id },
      select: errorShape,
      orderBy: { line: "asc" },
      ...sliceOf(request),
    }),
  ])
  const { delimiter } = storedOptions(found?.options ?? {})
  return rows.map(({ line, faults, row, cells }) => ({
    line,
    faults: faultsOf(faults),
    row: cells ? rowText(cellsOf(cells), delimiter) : present(row),
  }))
}

export type RejectedRow = { cells: string[]; faults: ImportError["faults"] }

const rejectedAtOnce = 500

/** Every rejected row in the order of the file; of imports of earlier versions its beginning in one cell. */
export async function* eachRejected(scope: Scope, id: string): AsyncGenerator<RejectedRow[]> {
  for (let last = 0; ;) {
    const rows = await db(scope).importError.findMany({
      where: { importId: id, line: { gt: last } },
      select: errorShape,
      orderBy: { line: "asc" },
      take: rejectedAtOnce,
    })
    if (rows.length)
      yield rows.map(({ faults, row, cells }) => ({
        cells: cells ? cellsOf(cells) : [row ?? ""],
        faults: faultsOf(faults),
      }))
    if (rows.length < rejectedAtOnce) return
    last = rows.at(-1)?.line ?? last
  }
}

type NewImport = { id: string; key: string; bytes: number; options: Options }

/** Queues an import of a file that is in the object store, unless too many files wait already. */
export async function addImport(scope: Scope, given: NewImport): Promise<ContactImport | FilesFull> {
  return unscopedTransaction(async (tx) => {
    // Files of all projects are added one at a time, so that what is counted stays exact.
    await takeLock("mailroom.import_files", tx)
    return (await filesFull(scope, given.bytes, tx)) ?? insert(scope, given, db(scope, tx))
  })
}

/** Queues another import of the file of a dry run, and gives it the file; null without such a dry run, or without its file. */
export async function addImportOfChecked(
  scope: Scope,
  id: string,
  change: Partial<Options>,
): Promise<ContactImport | null> {
  return db(scope).$transaction(async (tx) => {
    const checked = await takeCheckedFile(scope, id, { maxAgeHours: fileHours }, tx)
    if (!checked) return null
    const { key, bytes, options } = checked
    return insert(scope, { id: newId(), key, bytes, options: { ...options, ...change } }, tx)
  })
}

async function insert(scope: Scope, { id, key, bytes, options }: NewImport, tx: ScopedDb): Promise<ContactImport> {
  const { principal } = scope
  const row = await tx.import.create({
    data: {
      ...{ id, kind: "contacts", status: "queued", options, objectKey: key, bytes },
      createdBy: principal.kind === "session" ? principal.userId : null,
    },
    select: shape,
  })
  const { mode, dryRun, fileName } = options
  const target = encodeId("imp", id)
  await addAudit(scope, { action: "contacts.import", target, name: fileName, changes: { mode, dryRun } }, tx)
  return toImport(row)
}

/** Takes the files from dry runs of all projects that ended more than `fileHours` ago. */
async function releaseCheckedFiles(now: Date): Promise<void> {
  await unscoped().import.updateMany({
    where: { objectKey: { not: null }, dueAt: null, endedAt: { lte: fileDeadline(now) } },
    data: { objectKey: null },
  })
}

/** Those of these objects that an import of any project still needs. */
async function importFilesInUse(keys: readonly string[]): Promise<Set<string>> {
  const rows = await unscoped().import.findMany({
    where: { objectKey: { in: [...keys] } },
    select: { objectKey: true },
  })
  return new Set(rows.flatMap(({ objectKey }) => objectKey ?? []))
}

function toImport({
  objectKey,
  options,
  errors: _errors,
  failure,
  failureCode,
  failureFacts,
  ...row
}: Row): ContactImport {
  const { mode, dryRun, encoding, fileName, header, targets, formats, segmentId } = storedOptions(options)
  const { endedAt } = row
  const hasFile = objectKey !== null && row.status === "completed" && endedAt !== null
  return shown<ContactImport>()({
    ...row,
    object: "contact_import",
    status: storedStatus(row.status),
    mode,
    dryRun,
    fileName: present(fileName),
    encoding: present(encoding),
    segmentId: present(segmentId),
    errorGroups: undefined,
    columns: header.map((name, at) => ({ name, target: targets[at] ?? null, format: present(formats?.[at]) })),
    bytes: Number(row.bytes),
    bytesRead: Number(row.bytesRead),
    fileUntil: hasFile && endedAt > fileDeadline(new Date()) ? fileEnd(endedAt) : undefined,
    failure: present(failureCode ? failureSentence(storedFailure(failureCode, failureFacts)) : failure),
    startedAt: present(row.startedAt),
    endedAt: present(endedAt),
  })
}

const fileMs = fileHours * hourMs
const fileEnd = (endedAt: Date) => new Date(endedAt.getTime() + fileMs)
/** Dry runs that ended before have no file any more. */
const fileDeadline = (now: Date) => new Date(now.getTime() - fileMs)

/** Only `endImport` and its migration write these columns. */
function storedFailure(code: string, facts: Prisma.JsonValue): ImportFailure {
  return { code, facts } as ImportFailure
}

/** A check constraint of the table holds it to these. */
function storedStatus(status: string): ImportStatus {
  return status as ImportStatus
}

// `writeBatch` alone writes these three.

function faultsOf(json: Prisma.JsonValue): ImportError["faults"] {
  return (json as StoredFault[]).map((fault) => ({ column: fault.column, detail: faultDetail(fault) }))
}

function cellsOf(json: Prisma.JsonValue): string[] {
  return json as string[]
}

function groupsOf(json: Prisma.JsonValue): NonNullable<ContactImport["errorGroups"]> {
  return (json as FaultGroup[]).map(({ column, rows, examples, ...fault }) => ({
    ...{ column, rows, examples },
    detail: faultDetail({ column, ...fault }),
  }))
}

/** Whose files leave no room for another. */
export type FilesFull = "project" | "installation"

/** Which limit on waiting files, the project's or the total, a file of this size would exceed; null if none. */
export async function filesFull(
  scope: Scope,
  bytes: number,
  on: Prisma.TransactionClient = unscoped(),
): Promise<FilesFull | null> {
  const waiting = { where: { objectKey: { not: null } }, _count: true, _sum: { bytes: true } } as const
  const own = await db(scope, on).import.aggregate(waiting)
  const all = await on.import.aggregate(waiting)
  const { projectCount, projectBytes, totalCount, totalBytes } = waitingFiles
  if (own._count >= projectCount || Number(own._sum.bytes) + bytes > projectBytes) return "project"
  return all._count >= totalCount || Number(all._sum.bytes) + bytes > totalBytes ? "installation" : null
}

type CheckedFile = { key: string; bytes: number; options: Options }
type Age = { maxAgeHours?: number }

/** The file of a completed dry run, unless that ended longer ago; null where there is none. */
export async function findCheckedFile(
  scope: Scope,
  id: string,
  { maxAgeHours }: Age = {},
  on: ScopedDb = db(scope),
): Promise<CheckedFile | null> {
  const since = maxAgeHours === undefined ? null : new Date((await databaseTime(on)).getTime() - maxAgeHours * hourMs)
  const found = await on.import.findUnique({
    where: { id, status: "completed", ...(since && { endedAt: { gt: since } }) },
    select: { objectKey: true, bytes: true, options: true },
  })
  if (!found?.objectKey) return null
  return { key: found.objectKey, bytes: Number(found.bytes), options: storedOptions(found.options) }
}

/** Takes that file from the dry run. */
export async function takeCheckedFile(
  scope: Scope,
  id: string,
  age: Age = {},
  on: ScopedDb = db(scope),
): Promise<CheckedFile | null> {
  const found = await findCheckedFile(scope, id, age, on)
  if (!found) return null
  // Of several callers at once, only one still finds the key.
  const taken = await on.import.updateMany({ where: { id, objectKey: found.key }, data: { objectKey: null } })
  return taken.count ? found : null
}

/** Ends an import that has not ended; what it has written stays. */
export async function endAsCancelled(scope: Scope, id: string): Promise<void> {
  await db(scope).$transaction(async (tx) => {
    const now = await databaseTime(tx)
    const { count } = await tx.import.updateMany({
      where: { id, status: { in: [...openImportStatuses] } },
      data: { status: "cancelled", endedAt: now, dueAt: now },
    })
    if (count) await addAudit(scope, { action: "contacts.import_cancelled", target: encodeId("imp", id) }, tx)
  })
}

const folder = "imports/"

/** Stores an uploaded file for the worker; answers its key and the id of the import that will read it. */
export async function keepImportFile(projectId: string, path: string): Promise<{ id: string; key: string }> {
  const id = newId()
  const key = `${folder}${projectId}/${id}.csv`
  await (await storage()).putFile(key, path, "text/csv")
  return { id, key }
}

/** Removes a file that no import needs any more. If that fails, the next sweep removes it. */
export async function dropImportFile(key: string): Promise<void> {
  try {
    await (await storage()).remove(key)
  } catch (error) {
    log.warn({ err: error }, "the file of an import could not be removed yet")
  }
}

/**
 * Removes files older than an hour that no import needs: of uploads that were cut off between the object and the row, of
 * imports that ended when the file could not be removed, of deleted projects, and of dry runs that were not run within 24
 * hours. Answers how many.
 */
export async function sweepImportFiles(now: Date, signal: AbortSignal): Promise<number> {
  await releaseCheckedFiles(now)
  return sweepObjects({ folder, inUse: importFilesInUse, now, signal })
}
