import type { Metadata } from "next"
import { cookies, headers } from "next/headers"
import { cache } from "react"
import type { CallAnswer, CallInput, GetRoute } from "@/components/data/call"
import { findMemberProject } from "@/lib/access/credentials/data"
import { performAs } from "@/lib/api/perform-as"

type Input = NonNullable<Parameters<typeof performAs>[3]>

/**
 * A read of the API in process as the signed-in person; a page and its title share it. @throws what the operation declares, or
 * Error without a session
 */
export function read(route: string, input: Input = {}): Promise<unknown> {
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
  queryKey: [route, input],
}: {
  queryKey: readonly [R, CallInput<R>]
}): Promise<CallAnswer<R> | null> {
  return (await read(route, input as Input).catch(() => null)) as CallAnswer<R> | null
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
