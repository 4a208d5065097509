import { allowOperator, allowPerson } from "@/lib/access/permissions"
import { sessionRequired } from "@/lib/access/problems"
import { listNotices, markNoticesRead, countUnreadNotices, type StoredNotice } from "@/lib/delivery/notices/data"
import { NoticeRead, OperatorNoticeList, PersonNoticePage } from "@/lib/delivery/notices/schema"
import { noticeWords } from "@/lib/delivery/notices/words"
import { organizationEndpoint } from "@/lib/platform/http/endpoint"
import {
  cursorsOf,
  type CursorSlice,
  cursorSlice,
  newestFirst,
  cursorMissing,
  readCursor,
  type CursorPosition,
} from "@/lib/platform/http/cursors"
import { cursorQuery } from "@/lib/platform/http/paging"
import { pathNotFound } from "@/lib/platform/http/problems"
import { encodeId } from "@/lib/platform/ids"
import type { OrganizationScope, SessionPrincipal } from "@/lib/platform/http/scope"
import {
  countNoticesSince,
  markProjectNoticesRead,
  noticesFor,
  noticesReadAt,
  type ProjectNotice,
} from "@/lib/access/notices/data"
import { unreadMax } from "@/lib/delivery/notices/rules"

const shared = { tag: "Operator", access: allowOperator(), bucket: null, additive: true } as const
const onlyForOperators = "For who runs the installation; to everybody else nothing lives here."

export const listOperatorNotices = organizationEndpoint({
  ...shared,
  route: "GET /v1/operator/notices",
  operationId: "listOperatorNotices",
  summary: "List notices to operators",
  description: `What the people who run the installation are told of, each once: here and, where a region has a mail server, by mail. ${onlyForOperators}`,
  answers: [200, OperatorNoticeList],
  problems: [pathNotFound],

  run: (scope) => shownNotices(userOf(scope)),
})

export const markOperatorNoticesRead = organizationEndpoint({
  ...shared,
  route: "PUT /v1/operator/notice-reads",
  operationId: "markOperatorNoticesRead",
  summary: "Mark notices as read",
  description: `Marks the notices up to a time as read, for you alone. ${onlyForOperators}`,
  body: NoticeRead,
  answers: [200, OperatorNoticeList],
  problems: [pathNotFound],
  example: { body: { upTo: "2026-11-27T09:30:00.000Z" } },

  async run(scope, { body: { upTo } }) {
    const userId = userOf(scope)
    await markNoticesRead(userId, upTo)
    return shownNotices(userId)
  },
})

const ofPerson = { tag: "Session", access: allowPerson(), bucket: null, additive: true } as const

export const listPersonNotices = organizationEndpoint({
  ...ofPerson,
  route: "GET /v1/session/notices",
  operationId: "listPersonNotices",
  summary: "List your notices",
  description:
    "What the owners of your projects are told of by mail, as far as your roles let you see what it is about, and for who runs the installation what operators are told of. Read is what you have marked, whatever others have.",
  query: cursorQuery(),
  answers: [200, PersonNoticePage],
  problems: [sessionRequired, cursorMissing],

  async run({ principal }, { query: { size, after } }) {
    if (principal.kind === "key") throw sessionRequired()
    const collection = `notices|${principal.userId}`
    const position = after === undefined ? null : readCursor(collection, after)
    const [slice, unread] = await Promise.all([personNotices(principal, position, size), unreadOf(principal)])
    return {
      unread,
      data: slice.rows.map(({ prefix, id, ...notice }) => ({ ...notice, id: encodeId(prefix, id) })),
      cursor: cursorsOf(collection, slice, ({ id }) => id, position),
    }
  },
})

export const markPersonNoticesRead = organizationEndpoint({
  ...ofPerson,
  route: "PUT /v1/session/notice-reads",
  operationId: "markPersonNoticesRead",
  summary: "Mark your notices as read",
  description: "Marks your notices up to a time as read, for you alone.",
  body: NoticeRead,
  answers: [204],
  problems: [sessionRequired],
  example: { body: { upTo: "2026-11-27T09:30:00.000Z" } },

  async run({ principal }, { body: { upTo } }) {
    if (principal.kind === "key") throw sessionRequired()
    await markRead(principal, upTo)
  },
})

export const noticeOperations = [
  listOperatorNotices,
  markOperatorNoticesRead,
  listPersonNotices,
  markPersonNoticesRead,
] as const

function userOf({ principal }: OrganizationScope): string {
  if (principal.kind !== "session") throw new Error("Operators have a session.")
  return principal.userId
}

async function shownNotices(userId: string): Promise<OperatorNoticeList> {
  const notices = await listNotices(userId)
  return {
    unread: notices.filter(({ read }) => !read).length,
    data: notices.map(({ id, at, read, ...notice }) => ({ id, at, read, kind: notice.kind, ...noticeWords(notice) })),
  }
}

/** A notice as its reader sees it, wherever it comes from. */
type Shown = ReturnType<typeof shownOfProject> | ReturnType<typeof shownOfOperator>

/** The notices of a person's projects, and those to operators if they are one, in the order of a position. */
async function personNotices(
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
async function unreadOf({ userId, roles, operator }: SessionPrincipal): Promise<number> {
  const [ofProjects, toOperators] = await Promise.all([
    noticesReadAt(userId).then((since) => countNoticesSince(roles, since, unreadMax)),
    operator ? countUnreadNotices(userId, unreadMax) : 0,
  ])
  return Math.min(unreadMax, ofProjects + toOperators)
}

async function markRead({ userId, operator }: SessionPrincipal, upTo: Date): Promise<void> {
  await markProjectNoticesRead(userId, upTo)
  if (operator) await markNoticesRead(userId, upTo)
}
