import { authorize } from "@/lib/access/authorize"
import { findMemberProject } from "@/lib/access/credentials/data"
import { liveSession, sessionIdOf } from "@/lib/access/credentials/session"
import { endpoints } from "@/lib/api/registry"
import { newId } from "@/lib/platform/ids"
import { perform } from "@/lib/platform/http/perform"
import type { RequestInfo } from "@/lib/platform/http/scope"
import { systemIo } from "@/lib/regions/io"

type WireInput = { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown }

/** What a page asks for is more than fits an address; nothing is changed. */
const readsByPost = ["POST /v1/projects/{projectId}/webhooks/preview"]

/**
 * Runs a read in process as the person of a session cookie, with the checks of project and permission, without bucket
 * and HTTP. Returns its JSON.
 * @param findProject how the project of the person is read
 * @throws Problem, or Error without a session
 */
export async function performAs(
  cookie: string,
  ip: string,
  route: string,
  input: WireInput = {},
  findProject = findMemberProject,
): Promise<unknown> {
  const endpoint = endpoints.find((one) => one.route === route)
  if (!endpoint || !(route.startsWith("GET ") || readsByPost.includes(route)))
    throw new Error(`${route} is not a read of the API.`)
  const sessionId = await sessionIdOf(cookie)
  const principal = sessionId ? await liveSession(sessionId) : null
  if (!principal) throw new Error("This page needs a session.")
  const path = input.params ?? {}
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== null && value !== "") query.set(name, String(value))
  }
  const request: RequestInfo = { id: newId(), ip, headers: new Headers(), signal: AbortSignal.timeout(10_000) }
  const authority = await authorize(endpoint, principal, { path, query }, request, findProject)
  const performed = await perform(endpoint, authority, { path, query, body: input.body }, systemIo())
  return performed.json ?? null
}
