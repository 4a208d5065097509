import { addAudit } from "@/lib/access/audit-store"
import { resultsOf } from "@/lib/broadcasts/results-store"
import { draftsMax, openMax, openStatuses, type BroadcastStatus } from "@/lib/broadcasts/rules"
import type { Broadcast, BroadcastItem } from "@/lib/broadcasts/schema"
import { itemShape, shape, toBroadcast, toItem } from "@/lib/broadcasts/shape"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { lockProject } from "@/lib/platform/database/locks-sql"
import { db } from "@/lib/platform/database/scoped-db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"
import { nullIfTaken } from "@/lib/platform/database/sql-errors"
import { counted, sliceOf, type PageRequest } from "@/lib/platform/http/paging"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId } from "@/lib/platform/ids"
import type { Prisma } from "@/prisma/generated/client"

/** Broadcasts, newest first, without their content. */
export async function listBroadcasts(
  scope: Scope,
  status: BroadcastStatus | undefined,
  request: PageRequest,
): Promise<{ data: BroadcastItem[]; total: number }> {
  const where = { ...(status && { status }) }
  const { rows, total } = await counted(
    request,
    db(scope).broadcast.findMany({ where, select: itemShape, orderBy: { id: "desc" }, ...sliceOf(request) }),
    () => db(scope).broadcast.count({ where }),
  )
  const ids = rows.map(({ id }) => id)
  const results = await resultsOf(scope, ids)
  return { data: rows.map((row) => toItem(row, results.get(row.id))), total }
}

export async function findBroadcast(scope: Scope, id: string): Promise<Broadcast | null> {
  const [row, results] = await Promise.all([
    db(scope).broadcast.findUnique({ where: { id }, select: shape }),
    resultsOf(scope, [id]),
  ])
  return row && toBroadcast(row, results.get(id))
}

/** What a change builds on: the content and the recipients as they were given. */
export async function findStored(
  scope: Scope,
  id: string,
): Promise<{ status: BroadcastStatus; content: object; entries: string[]; from: string } | null> {
  const select = { status: true, content: true, entries: true, fromHeader: true } as const
  const row = await db(scope).broadcast.findUnique({ where: { id }, select })
  return (
    row && {
      status: row.status as BroadcastStatus,
      content: row.content as object,
      entries: row.entries,
      from: row.fromHeader,
    }
  )
}

/** The broadcast that an earlier request with this key made. */
export async function findByKey(scope: Scope, idempotencyKey: string): Promise<Broadcast | null> {
  const row = await db(scope).broadcast.findFirst({ where: { idempotencyKey }, select: { id: true } })
  return row && findBroadcast(scope, row.id)
}

type Columns = Prisma.BroadcastUncheckedCreateInput
type Written = Pick<Columns, "subject" | "fromHeader" | "content"> & {
  entries: string[]
  topicId: string | null
  testMode: boolean
  scheduledAt: Date | null
}
type Made = { id: string; status: BroadcastStatus; idempotencyKey: string | null }
export type NewRow = Written & Made & Pick<Columns, "keyId" | "userId" | "requestId">

/** Adds a broadcast: due at once, at its time, or as a draft never. */
export async function addBroadcast(scope: Scope, row: NewRow): Promise<"added" | "taken" | "full"> {
  const added = await nullIfTaken(
    db(scope).$transaction(async (tx) => {
      await lockProject(scope, tx)
      if (await isFull(row.status, tx)) return "full"
      const { id, status, subject, scheduledAt } = row
      await tx.broadcast.createMany({ data: { ...row, dueAt: await dueAt(status, scheduledAt, tx) } })
      await addAudit(
        scope,
        { action: "broadcasts.create", target: encodeId("bc", id), changes: { status, subject } },
        tx,
      )
      return "added"
    }),
  )
  return added ?? "taken"
}

/** Whether the project has as many drafts or open broadcasts as it may have. */
export async function isFull(status: BroadcastStatus, tx: ScopedDb): Promise<boolean> {
  if (status === "draft") return (await tx.broadcast.count({ where: { status } })) >= draftsMax
  return (await tx.broadcast.count({ where: { status: { in: [...openStatuses] } } })) >= openMax
}

export async function dueAt(status: BroadcastStatus, scheduledAt: Date | null, tx: ScopedDb): Promise<Date | null> {
  if (status === "scheduled") return scheduledAt
  return status === "preparing" ? databaseTime(tx) : null
}

export type BroadcastEdit = Partial<Written>

/** Changes a draft or scheduled broadcast as it was read; false if its status has changed since. */
export async function editBroadcast(
  scope: Scope,
  { id, from, to }: { id: string; from: BroadcastStatus; to: BroadcastStatus },
  edit: BroadcastEdit,
): Promise<boolean> {
  return db(scope).$transaction(async (tx) => {
    const due = edit.scheduledAt === undefined ? {} : { dueAt: await dueAt(to, edit.scheduledAt, tx) }
    const { count } = await tx.broadcast.updateMany({
      where: { id, status: from },
      data: { ...edit, status: to, ...due },
    })
    if (!count) return false
    const changes = { fields: Object.keys(edit) }
    await addAudit(scope, { action: "broadcasts.update", target: encodeId("bc", id), changes }, tx)
    return true
  })
}

export async function deleteDraft(scope: Scope, id: string): Promise<boolean> {
  return db(scope).$transaction(async (tx) => {
    const { count } = await tx.broadcast.deleteMany({ where: { id, status: "draft" } })
    if (count) await addAudit(scope, { action: "broadcasts.delete", target: encodeId("bc", id) }, tx)
    return count > 0
  })
}
