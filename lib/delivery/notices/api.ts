import { allowOperator } from "@/lib/access/permissions"
import { listNotices, markNoticesRead } from "@/lib/delivery/notices/data"
import { NoticeRead, OperatorNoticeList } from "@/lib/delivery/notices/schema"
import { noticeWords } from "@/lib/delivery/notices/words"
import { organizationEndpoint } from "@/lib/platform/http/endpoint"
import { pathNotFound } from "@/lib/platform/http/problems"
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

export const noticeOperations = [listOperatorNotices, markOperatorNoticesRead] as const

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
