import {
  countNoticesSince,
  markProjectNoticesRead,
  noticesFor,
  noticesReadAt,
  type ProjectNotice,
} from "@/lib/access/notices/data"
import { countUnreadNotices, listNotices, markNoticesRead, type StoredNotice } from "@/lib/delivery/notices/data"
import { unreadMax } from "@/lib/delivery/notices/rules"
import { noticeWords } from "@/lib/delivery/notices/words"
import { type CursorSlice, cursorSlice, newestFirst } from "@/lib/platform/http/cursor-page"
import type { CursorPosition } from "@/lib/platform/http/cursors"
import type { SessionPrincipal } from "@/lib/platform/http/scope"

/** A notice as its reader sees it, wherever it comes from. */
type Shown = ReturnType<typeof shownOfProject> | ReturnType<typeof shownOfOperator>

/** The notices of a person's projects, and those to operators if they are one, in the order of a position. */
export async function personNotices(
  principal: SessionPrincipal,
  position: CursorPosition | null,
  size: number,
): Promise<CursorSlice<Shown>> {
  const { orderBy, beyond, beside } = newestFirst(position)
  const [rows, besides] = await Promise.all([
    readBoth(principal, { where: beyond, orderBy, take: size + 1 }),
    beside ? readBoth(principal, { where: beside, orderBy, take: 1 }) : [],
  ])
  return cursorSlice(position, size, rows.slice(0, size + 1), besides.length > 0)
}

/** Of both tables, which are read alike. */
type Reading = {
  where: { id?: { lt?: string; gt?: string; lte?: string; gte?: string } }
  orderBy: { id: "asc" | "desc" }
  take: number
}

/** Both kinds have ids that are ordered by time. */
async function readBoth(principal: SessionPrincipal, reading: Reading): Promise<Shown[]> {
  const { userId, roles, operator } = principal
  const [readAt, ofProjects, toOperators] = await Promise.all([
    noticesReadAt(userId),
    noticesFor(roles, reading),
    operator ? listNotices(userId, reading) : [],
  ])
  const all = [...ofProjects.map((one) => shownOfProject(one, readAt)), ...toOperators.map(shownOfOperator)]
  const direction = reading.orderBy.id === "desc" ? -1 : 1
  return all.sort((a, b) => (a.id < b.id ? -direction : direction))
}

function shownOfProject({ content, ...notice }: ProjectNotice, readAt: Date | null) {
  const { subject: title, lead: message, paragraphs = [] } = content
  const read = readAt !== null && notice.at <= readAt
  return { ...notice, prefix: "ntc" as const, title, message, details: [...paragraphs], read }
}

function shownOfOperator({ id, at, read, ...notice }: StoredNotice) {
  const { title, message, fix, page } = noticeWords(notice)
  return {
    id,
    at,
    read,
    prefix: "opn" as const,
    kind: notice.kind,
    title,
    message,
    details: [fix],
    page: `settings/${page}`,
  }
}

/** How many of them the person has not read. */
export async function unreadOf({ userId, roles, operator }: SessionPrincipal): Promise<number> {
  const [ofProjects, toOperators] = await Promise.all([
    noticesReadAt(userId).then((since) => countNoticesSince(roles, since, unreadMax)),
    operator ? countUnreadNotices(userId, unreadMax) : 0,
  ])
  return Math.min(unreadMax, ofProjects + toOperators)
}

export async function markRead({ userId, operator }: SessionPrincipal, upTo: Date): Promise<void> {
  await markProjectNoticesRead(userId, upTo)
  if (operator) await markNoticesRead(userId, upTo)
}
