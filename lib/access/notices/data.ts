import { kindsFor, type Notice, type KeptNotice, type SystemContent } from "@/lib/access/system-mail/system-mail"
import { noticeContent } from "@/lib/access/system-mail/notice-messages"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { unscoped } from "@/lib/platform/database/db"
import { env } from "@/lib/platform/env/env"
import { encodeId, newId } from "@/lib/platform/ids"
import { claimRows, extendLeases } from "@/lib/platform/jobs/leases-sql"
import type { Prisma } from "@/prisma/generated/client"

/** Records what people are told of; pass the transaction of the change. */
export async function addNotice(
  projectId: string,
  notice: Notice,
  page: string,
  tx: Prisma.TransactionClient,
): Promise<void> {
  const { kind, ...facts } = JSON.parse(JSON.stringify(notice)) as { kind: string } & Prisma.InputJsonObject
  await tx.notice.createMany({ data: { id: newId(), projectId, kind, facts, page } })
}

const shape = {
  ...{ id: true, projectId: true, kind: true, facts: true, page: true, createdAt: true },
  project: { select: { name: true } },
} as const

type Row = Prisma.NoticeGetPayload<{ select: typeof shape }>

/** A notice in the words of its email. */
export type ProjectNotice = {
  id: string
  projectId: string
  project: string
  kind: Notice["kind"]
  page: string
  at: Date
  content: SystemContent
}

function noticeOf({ id, projectId, kind, facts, page, createdAt, project: { name } }: Row): ProjectNotice {
  const { baseUrl } = env()
  // `addNotice` alone writes them.
  const notice = { kind, ...(facts as object) } as KeptNotice
  const url = `${baseUrl}/projects/${encodeId("proj", projectId)}/${page}`
  const content = noticeContent({ ...notice, project: name, url }, new URL(baseUrl).host)
  return { id, projectId, project: name, kind: notice.kind, page, at: createdAt, content }
}

/** Role by organization. */
type Roles = ReadonlyMap<string, string>

function visibleTo(roles: Roles): Prisma.NoticeWhereInput {
  const visible = [...roles].map(([organizationId, role]) => ({
    ...{ project: { organizationId, deletedAt: null }, kind: { in: kindsFor(role) } },
  }))
  return { OR: visible }
}

type Reading = { where: Prisma.NoticeWhereInput; orderBy: { id: "asc" | "desc" }; take: number }

/** What somebody with these roles sees of the notices of all their projects. */
export async function noticesFor(roles: Roles, { where, orderBy, take }: Reading): Promise<ProjectNotice[]> {
  if (!roles.size) return []
  const rows = await unscoped().notice.findMany({
    where: { AND: [visibleTo(roles), where] },
    ...{ select: shape, orderBy, take },
  })
  return rows.map(noticeOf)
}

/** How many of them came after a time, counted up to `max`. */
export async function countNoticesSince(roles: Roles, since: Date | null, max: number): Promise<number> {
  if (!roles.size) return 0
  const where = { AND: [visibleTo(roles), since ? { createdAt: { gt: since } } : {}] }
  return unscoped().notice.count({ where, take: max })
}

/** Up to when a person has read them. */
export async function noticesReadAt(userId: string): Promise<Date | null> {
  const read = await unscoped().noticeRead.findUnique({ where: { userId }, select: { readAt: true } })
  return read?.readAt ?? null
}

/** The person has read what came up to then; never less than before. */
export async function markProjectNoticesRead(userId: string, upTo: Date): Promise<void> {
  const { noticeRead } = unscoped()
  await noticeRead.createMany({ data: { userId, readAt: upTo }, skipDuplicates: true })
  await noticeRead.updateMany({ where: { userId, readAt: { lt: upTo } }, data: { readAt: upTo } })
}

// Posts to the chat of a project

/** A notice that this worker holds until its lease ends; `attempt` is the fencing token, and counts the posts. */
export type ClaimedNotice = { id: string; projectId: string; attempt: number }

export function claimNotices(limit: number, leaseMs: number): Promise<ClaimedNotice[]> {
  return claimRows<ClaimedNotice>("notices", {
    ...{ limit, leaseMs, set: "attempt = attempt + 1" },
    returning: `id, project_id AS "projectId", attempt`,
  })
}

export function extendNotices(held: readonly ClaimedNotice[], leaseMs: number): Promise<ClaimedNotice[]> {
  return extendLeases("notices", held, { leaseMs, held: "t.due_at IS NOT NULL" })
}

/** What a claimed notice says; null if it is gone. */
export async function claimedNotice({ id }: ClaimedNotice): Promise<ProjectNotice | null> {
  const row = await unscoped().notice.findUnique({ where: { id }, select: shape })
  return row && noticeOf(row)
}

/** Ends a claim: the next post comes after `waitSeconds`, or never. */
export async function finishNotice({ id, attempt }: ClaimedNotice, waitSeconds: number | null): Promise<void> {
  const dueAt = waitSeconds === null ? null : new Date((await databaseTime()).getTime() + waitSeconds * 1_000)
  await unscoped().notice.updateMany({ where: { id, attempt }, data: { dueAt } })
}
