import { setTimeout as wait } from "node:timers/promises"
import { dehydrate, QueryClient } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { Hydrate } from "@/components/data/hydrate"
import { read } from "@/components/data/read"
import { type Paged, readWhole, allPages } from "@/components/data/query"

type Wanted = {
  queryKey: readonly unknown[]
  /** Of a list that continues on demand: its first page is read. */
  initialPageParam?: unknown
}
type Input = NonNullable<Parameters<typeof read>[1]>

type PrefetchProps = {
  /** A query that depends on another one's answer is a promise; null where there is nothing to ask. */
  queries: readonly (Wanted | Promise<Wanted | null>)[]
  children: ReactNode
}

/** A page waits no longer than this for its reads: the browser fetches the rest behind a placeholder. */
const patienceMs = 400

/**
 * Runs the reads of a page in process as the signed-in person and hands their answers to the browser, so that it shows
 * them at once. A read that fails is repeated by the browser, which shows the problem in its place.
 *
 * The page comes in one piece: React reveals what streams in later no sooner than 300 ms after the first paint.
 */
export async function Prefetch({ queries, children }: PrefetchProps) {
  const client = new QueryClient()
  const reads = Promise.all(
    queries.map(async (asked) => {
      const found = await asked
      if (!found) return
      const { queryKey, ...wanted } = found
      const query = { queryKey: [...queryKey], queryFn: () => answerOf(queryKey), retry: false }
      return "initialPageParam" in wanted
        ? client.prefetchInfiniteQuery({ ...query, initialPageParam: wanted.initialPageParam })
        : client.prefetchQuery(query)
    }),
  )
  await Promise.race([reads, wait(patienceMs, undefined, { ref: false })])
  return <Hydrate json={JSON.stringify(dehydrate(client))}>{children}</Hydrate>
}

function answerOf([name, given, kind]: readonly unknown[]): Promise<unknown> {
  const [route, input] = [String(name), given as Input]
  return kind === allPages
    ? readWhole(input, async (one) => (await read(route, one as Input)) as Paged)
    : read(route, input)
}
