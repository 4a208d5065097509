import { setTimeout as wait } from "node:timers/promises"
import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { read } from "@/components/api/read"
import { readWhole, whole, type Paged } from "@/components/api/whole-list"

type Wanted = { queryKey: readonly unknown[] }
type Input = NonNullable<Parameters<typeof read>[1]>

/** A page waits no longer than this for its reads: the browser fetches the rest behind a placeholder. */
const patienceMs = 400

/**
 * Runs the reads of a page in process as the signed-in person and hands their answers to the browser, so that it shows
 * them at once. A read that fails is repeated by the browser, which shows the problem in its place.
 *
 * The page comes in one piece: React reveals what streams in later no sooner than 300 ms after the first paint.
 */
export async function Prefetch({ queries, children }: { queries: readonly Wanted[]; children: ReactNode }) {
  const client = new QueryClient()
  const reads = Promise.all(
    queries.map(({ queryKey }) =>
      client.prefetchQuery({
        queryKey: [...queryKey],
        queryFn: () => {
          const [route, input] = [String(queryKey[0]), queryKey[1] as Input]
          return queryKey[2] === whole
            ? readWhole(input, async (one) => (await read(route, one as Input)) as Paged)
            : read(route, input)
        },
        retry: false,
      }),
    ),
  )
  await Promise.race([reads, wait(patienceMs, undefined, { ref: false })])
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>
}
