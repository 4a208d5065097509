import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query"
import { cookies, headers } from "next/headers"
import type { ReactNode } from "react"
import { readWhole, whole, type Paged } from "@/components/api/whole-list"
import { performAs } from "@/lib/api/perform-as"

type Wanted = { queryKey: readonly unknown[] }
type Input = NonNullable<Parameters<typeof performAs>[3]>

/**
 * Runs the reads of a page in process as the signed-in person and hands their answers to the browser, so that it shows
 * them at once. A read that fails is repeated by the browser, which shows the problem in its place.
 */
export async function Prefetch({ queries, children }: { queries: readonly Wanted[]; children: ReactNode }) {
  const client = new QueryClient()
  const cookie = (await cookies()).toString()
  const ip = (await headers()).get("x-client-ip") ?? "127.0.0.1"
  await Promise.all(
    queries.map(({ queryKey }) =>
      client.prefetchQuery({
        queryKey: [...queryKey],
        queryFn: () => {
          const read = (input: Input) => performAs(cookie, ip, String(queryKey[0]), input)
          const input = queryKey[1] as Input
          return queryKey[2] === whole ? readWhole(input, async (one) => (await read(one)) as Paged) : read(input)
        },
        retry: false,
      }),
    ),
  )
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>
}
