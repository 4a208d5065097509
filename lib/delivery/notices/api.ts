import { allowOperator, allowPerson } from "@/lib/access/permissions"
import { sessionRequired } from "@/lib/access/problems"
import { listNotices, markNoticesRead } from "@/lib/delivery/notices/data"
import { markRead, personNotices, unreadOf } from "@/lib/delivery/notices/person"
import { NoticeRead, OperatorNoticeList, PersonNoticePage } from "@/lib/delivery/notices/schema"
import { noticeWords } from "@/lib/delivery/notices/words"
import { organizationEndpoint } from "@/lib/platform/http/endpoint"
import { cursorsOf } from "@/lib/platform/http/cursor-page"
import { cursorMissing, readCursor } from "@/lib/platform/http/cursors"
import { cursorQuery } from "@/lib/platform/http/paging"
import { pathNotFound } from "@/lib/platform/http/problems"
import { encodeId } from "@/lib/platform/ids"
import type { OrganizationScope } from "@/lib/platform/http/scope"

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
      cursor: cursorsOf(collection, slice, ({ id }) => id),
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
