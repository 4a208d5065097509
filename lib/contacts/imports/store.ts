import { hourMs } from "@/lib/platform/time"
import { addAudit } from "@/lib/access/audit-store"
import { filesFull, takeCheckedFile, type FilesFull } from "@/lib/contacts/imports/file-store"
import {
  fileHours,
  openStatuses,
  storedOptions,
  type Fault,
  type ImportStatus,
  type Options,
} from "@/lib/contacts/imports/rules"
import type { ContactImport, ImportError } from "@/lib/contacts/imports/schema"
import { unscoped, unscopedTransaction } from "@/lib/platform/database/db"
import { takeLock } from "@/lib/platform/database/locks-sql"
import { db } from "@/lib/platform/database/scoped-db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"
import { shown } from "@/lib/platform/database/shape"
import { counted, sliceOf, type PageRequest } from "@/lib/platform/http/paging"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId, newId } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"
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
  attempt: false,
  stalled: false,
  dueAt: false,
  createdBy: false,
  startedAt: true,
  endedAt: true,
  createdAt: true,
} as const satisfies Record<Prisma.ImportScalarFieldEnum, boolean>

type Row = Prisma.ImportGetPayload<{ select: typeof shape }>

const open = { status: { in: [...openStatuses] } }

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
export async function releaseCheckedFiles(now: Date): Promise<void> {
  await unscoped().import.updateMany({
    where: { objectKey: { not: null }, dueAt: null, endedAt: { lte: fileDeadline(now) } },
    data: { objectKey: null },
  })
}

/** Those of these objects that an import of any project still needs. */
export async function importFilesInUse(keys: readonly string[]): Promise<Set<string>> {
  const rows = await unscoped().import.findMany({
    where: { objectKey: { in: [...keys] } },
    select: { objectKey: true },
  })
  return new Set(rows.flatMap(({ objectKey }) => objectKey ?? []))
}

function toImport({ objectKey, options, ...row }: Row): ContactImport {
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
    failure: present(row.failure),
    startedAt: present(row.startedAt),
    endedAt: present(endedAt),
  })
}

const fileMs = fileHours * hourMs
const fileEnd = (endedAt: Date) => new Date(endedAt.getTime() + fileMs)
/** Dry runs that ended before have no file any more. */
const fileDeadline = (now: Date) => new Date(now.getTime() - fileMs)

/** A check constraint of the table holds it to these. */
function storedStatus(status: string): ImportStatus {
  return status as ImportStatus
}

/** `writeBatch` alone writes them. */
function faultsOf(json: Prisma.JsonValue): Fault[] {
  return json as Fault[]
}
