import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { read } from "@/components/api/read"
import { readWhole, whole, type Paged } from "@/components/api/whole-list"

type Wanted = { queryKey: readonly unknown[] }
type Input = NonNullable<Parameters<typeof read>[1]>

/**
 * Runs the reads of a page in process as the signed-in person and hands their answers to the browser, so that it shows
 * them at once. A read that fails is repeated by the browser, which shows the problem in its place.
 */
export async function Prefetch({ queries, children }: { queries: readonly Wanted[]; children: ReactNode }) {
  const client = new QueryClient()
  await Promise.all(
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
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>
}
