import { infiniteQueryOptions } from "@tanstack/react-query"
import { call, type CallAnswer } from "@/components/data/call"
import { query } from "@/components/data/query"

export const personNoticesRoute = "GET /v1/session/notices"

export type PersonNotice = CallAnswer<typeof personNoticesRoute>["data"][number]

/** How many notices are unread, for which one of them is enough. */
export function unreadNoticesQuery() {
  return query(personNoticesRoute, { query: { size: 1 } })
}

const pageSize = 20

/** The notices of the person, page after page. */
export function endlessNotices() {
  return infiniteQueryOptions({
    queryKey: [personNoticesRoute, "endless"] as const,
    queryFn: ({ pageParam, signal }) =>
      call(personNoticesRoute, { query: { size: pageSize, ...(pageParam && { after: pageParam }) } }, signal),
    initialPageParam: "",
    getNextPageParam: ({ cursor }) => cursor.nextCursor,
  })
}
