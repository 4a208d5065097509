import { setTimeout as wait } from "node:timers/promises"
import { dehydrate, QueryClient } from "@tanstack/react-query"
import { type ReactNode, cache } from "react"
import { Hydrate } from "@/components/data/hydrate"
import { type Paged, readWhole, allPages } from "@/components/data/query"
import type { Metadata } from "next"
import { cookies, headers } from "next/headers"
import type { CallAnswer, CallInput, GetRoute } from "@/components/data/call"
import { findMemberProject } from "@/lib/access/credentials/data"
import { performAs } from "@/lib/api/perform-as"

type Wanted = {
  queryKey: readonly unknown[]
  /** Of a list that continues on demand: its first page is read. */
  initialPageParam?: unknown
}

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

type Input = NonNullable<Parameters<typeof performAs>[3]>

/**
 * A read of the API in process as the signed-in person; a page and its title share it. @throws what the operation declares, or
 * Error without a session
 */
function read(route: string, input: Input = {}): Promise<unknown> {
  return readOnce(route, JSON.stringify(input))
}

const readOnce = cache(async (route: string, input: string) => {
  const ip = (await headers()).get("x-client-ip") ?? "127.0.0.1"
  return performAs((await cookies()).toString(), ip, route, JSON.parse(input) as Input, findProject)
})

/** The reads of a page are of one project, which is looked up once. */
const findOnce = cache((userId: string, projectId: string | null, deleted: boolean) =>
  findMemberProject(userId, projectId, { deleted }),
)

const findProject: typeof findMemberProject = (userId, projectId, { deleted = false } = {}) =>
  findOnce(userId, projectId, deleted)

/** What a query of the browser would answer, or null if it cannot be read, which the page explains. */
export async function readQuery<R extends GetRoute>({
  queryKey,
}: {
  queryKey: readonly [R, CallInput<R>] | readonly [R, CallInput<R>, typeof allPages]
}): Promise<CallAnswer<R> | null> {
  return (await answerOf(queryKey).catch(() => null)) as CallAnswer<R> | null
}

/** The title of a page about one object: its name, or `otherwise` if it cannot be read, which the page explains. */
export async function titleOf<R extends GetRoute>(
  query: { queryKey: readonly [R, CallInput<R>] },
  nameOf: (found: CallAnswer<R>) => string | undefined,
  otherwise: string,
): Promise<Metadata> {
  const found = await readQuery(query)
  return { title: (found && nameOf(found)) || otherwise }
}
