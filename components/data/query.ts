import { queryOptions } from "@tanstack/react-query"
import { call, type CallAnswer, type CallInput, type GetRoute } from "@/components/data/call"

/** Options of react-query for a read: the key is `[route, input]`, so that invalidation can name the route. */
export function query<R extends GetRoute>(route: R, input: CallInput<R>) {
  return queryOptions<CallAnswer<R>, Error, CallAnswer<R>, readonly [R, CallInput<R>]>({
    queryKey: [route, input] as const,
    queryFn: ({ signal }) => call(route, input, signal),
  })
}

export type Paged = { data: { id: string }[]; page: { totalPages: number } }

type PagedRoute = { [R in GetRoute]: CallAnswer<R> extends Paged ? R : never }[GetRoute]

/** The third part of the key of such a read, by which `Prefetch` knows it. */
export const allPages = "whole"

const pageSize = 100

/** A project has at most 500 properties and 500 segments; more pages than this are no list to choose from. */
const pagesMax = 10

/** Options of react-query for a list that is read to its end: for what a page offers as a choice, or must not forget. */
export function wholeList<R extends PagedRoute>(route: R, input: Omit<CallInput<R>, "query" | "body">) {
  const asked = { ...input, query: { size: pageSize } } as unknown as CallInput<R>
  return queryOptions<CallAnswer<R>, Error, CallAnswer<R>, readonly [R, CallInput<R>, typeof allPages]>({
    queryKey: [route, asked, allPages] as const,
    queryFn: ({ signal }) => readWhole(asked, (one) => call(route, one, signal)) as Promise<CallAnswer<R>>,
  })
}

/** All pages of a list as one; an item that moved between pages meanwhile occurs once. */
export async function readWhole<Input extends { query?: object }, Page extends Paged>(
  input: Input,
  read: (input: Input) => Promise<Page>,
): Promise<Page> {
  const first = await read(input)
  const more = Math.max(0, Math.min(first.page.totalPages, pagesMax) - 1)
  const others = Array.from({ length: more }, (_, at) => read({ ...input, query: { ...input.query, page: at + 2 } }))
  const pages = [first, ...(await Promise.all(others))]
  const byId = new Map(pages.flatMap(({ data }) => data.map((item) => [item.id, item] as const)))
  return { ...first, data: [...byId.values()] }
}

/** The project itself. Apart from the calls of its settings, which most pages that ask for it do not need. */
export const projectDetail = (projectId: string) => query("GET /v1/projects/{projectId}", { params: { projectId } })
