import { tellOperators } from "@/lib/access/system-mail/data"
import { noticesShown } from "@/lib/delivery/notices/schema"
import { noticeWords, type OperatorNews } from "@/lib/delivery/notices/words"
import { unscoped } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"
import { log } from "@/lib/platform/log"
import type { Prisma } from "@/prisma/generated/client"

/** Tells everybody who runs the installation, in the dashboard and by mail. Never rejects: what it is about has happened. */
export function tellOperatorsOf(notice: OperatorNews): Promise<void> {
  return tell(notice).catch((error: unknown) => log.warn({ err: error, notice }, "the operators could not be told"))
}

async function tell(notice: OperatorNews): Promise<void> {
  const facts = JSON.parse(JSON.stringify(notice.facts)) as Prisma.InputJsonObject
  await unscoped().operatorNotice.create({ data: { id: newId(), kind: notice.kind, facts } })
  const { page, ...words } = noticeWords(notice)
  const mail =
    notice.kind === "address_blocked"
      ? ({ kind: "address-blocked", ...notice.facts } as const)
      : ({ kind: "operator-notice", ...words } as const)
  await tellOperators(mail, `settings/${page}`)
}

export type StoredNotice = OperatorNews & { id: string; at: Date; read: boolean }

type Reading = Pick<Prisma.OperatorNoticeFindManyArgs, "where" | "orderBy" | "take">
const latest: Reading = { orderBy: [{ createdAt: "desc" }, { id: "desc" }], take: noticesShown }

/** Notices, by default the latest, and whether the user has read them. */
export async function listNotices(userId: string, reading = latest): Promise<StoredNotice[]> {
  const { operatorNotice, operatorNoticeRead } = unscoped()
  const [rows, seen] = await Promise.all([
    operatorNotice.findMany(reading),
    operatorNoticeRead.findUnique({ where: { userId }, select: { readAt: true } }),
  ])
  // `tellOperatorsOf` alone writes them.
  return rows.map(({ id, kind, facts, createdAt: at }) => ({
    ...({ kind, facts } as unknown as OperatorNews),
    ...{ id, at, read: seen !== null && at <= seen.readAt },
  }))
}

/** How many the user has not read, counted up to `max`. */
export async function countUnreadNotices(userId: string, max: number): Promise<number> {
  const { operatorNotice, operatorNoticeRead } = unscoped()
  const seen = await operatorNoticeRead.findUnique({ where: { userId }, select: { readAt: true } })
  return operatorNotice.count({ where: seen ? { createdAt: { gt: seen.readAt } } : {}, take: max })
}

/** The user has read what came up to then; never less than before. */
export async function markNoticesRead(userId: string, upTo: Date): Promise<void> {
  const { operatorNoticeRead } = unscoped()
  await operatorNoticeRead.createMany({ data: { userId, readAt: upTo }, skipDuplicates: true })
  await operatorNoticeRead.updateMany({ where: { userId, readAt: { lt: upTo } }, data: { readAt: upTo } })
}
