import { addAudit } from "@/lib/access/audit/data"
import { failureSentence, type ImportFailure } from "@/lib/contacts/imports/failure"
import {
  type Fault,
  fileHours,
  type ImportStatus,
  openImportStatuses,
  type Options,
  storedOptions,
  waitingFiles,
} from "@/lib/contacts/imports/rules"
import type { ContactImport, ImportError } from "@/lib/contacts/imports/schema"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { unscoped, unscopedTransaction } from "@/lib/platform/database/db"
import { takeLock } from "@/lib/platform/database/locks-sql"
import { db } from "@/lib/platform/database/scoped-db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"
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
  errors: false,
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

export async function findImport(scope: Scope, id: string): Promise<ContactImport | null> {
  const row = await db(scope).import.findUnique({ where: { id }, select: shape })
  return row && toImport(row)
}

export async function listErrors(scope: Scope, id: string, request: PageRequest): Promise<ImportError[]> {
  const rows = await db(scope).importError.findMany({
    where: { importId: id },
    select: { line: true, faults: true, row: true },
    orderBy: { line: "asc" },
    ...sliceOf(request),
  })
  return rows.map(({ line, faults, row }) => ({ line, faults: faultsOf(faults), row: present(row) }))
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

/** Queues an import of the rows of a dry run, and gives it the file; null without such a dry run, or without its file. */
export async function addImportOfChecked(scope: Scope, id: string): Promise<ContactImport | null> {
  return db(scope).$transaction(async (tx) => {
    const checked = await takeCheckedFile(scope, id, { maxAgeHours: fileHours }, tx)
    if (!checked) return null
    const { key, bytes, options } = checked
    return insert(scope, { id: newId(), key, bytes, options: { ...options, dryRun: false } }, tx)
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
  const entry = { action: "contacts.import", target: encodeId("imp", id), changes: { mode, dryRun, fileName } }
  await addAudit(scope, entry, tx)
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

function toImport({ objectKey, options, failure, failureCode, failureFacts, ...row }: Row): ContactImport {
  const { mode, dryRun, encoding, fileName, header, targets, segmentId } = storedOptions(options)
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
    columns: header.map((name, at) => ({ name, target: targets[at] ?? null })),
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

/** `writeBatch` alone writes them. */
function faultsOf(json: Prisma.JsonValue): Fault[] {
  return json as Fault[]
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

/** Takes the file from a completed dry run, unless that ended longer ago; null where there is none. */
export async function takeCheckedFile(
  scope: Scope,
  id: string,
  { maxAgeHours }: { maxAgeHours?: number } = {},
  on: ScopedDb = db(scope),
): Promise<CheckedFile | null> {
  const since = maxAgeHours === undefined ? null : new Date((await databaseTime(on)).getTime() - maxAgeHours * hourMs)
  const found = await on.import.findUnique({
    where: { id, status: "completed", ...(since && { endedAt: { gt: since } }) },
    select: { objectKey: true, bytes: true, options: true },
  })
  if (!found?.objectKey) return null
  // Of several callers at once, only one still finds the key.
  const taken = await on.import.updateMany({ where: { id, objectKey: found.objectKey }, data: { objectKey: null } })
  if (!taken.count) return null
  return { key: found.objectKey, bytes: Number(found.bytes), options: storedOptions(found.options) }
}

/** Ends an import that has not ended; what it has written stays. */
export async function endAsCancelled(scope: Scope, id: string): Promise<void> {
  const now = await databaseTime()
  await db(scope).import.updateMany({
    where: { id, status: { in: [...openImportStatuses] } },
    data: { status: "cancelled", endedAt: now, dueAt: now },
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
