import { queryOptions } from "@tanstack/react-query"
import { call } from "@/components/data/call"
import type { CallAnswer, CallInput, GetRoute } from "@/components/data/route"

/** Options of react-query for a read: the key is `[route, input]`, so that invalidation can name the route. */
export function query<R extends GetRoute>(route: R, input: CallInput<R>) {
  return queryOptions<CallAnswer<R>, Error, CallAnswer<R>, readonly [R, CallInput<R>]>({
    queryKey: [route, input] as const,
    queryFn: ({ signal }) => call(route, input, signal),
  })
}
