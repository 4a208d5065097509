import { env } from "@/lib/platform/env/env"
import { isStorageFault } from "@/lib/platform/storage-faults"
import { isUnavailable } from "@/lib/platform/database/sql-errors"
import { methodOf, pathOf, type Endpoint } from "@/lib/platform/http/endpoint"
import type { Io } from "@/lib/platform/io"
import { JsonInvalid } from "@/lib/platform/http/json"
import { log } from "@/lib/platform/log"
import { newRequestId, perform, type Performed } from "@/lib/platform/http/perform"
import { Problem, problemDocument } from "@/lib/platform/http/problem"
import {
  internalError,
  methodNotAllowed,
  pathNotFound,
  requestInvalid,
  requestTimeout,
  serviceUnavailable,
} from "@/lib/platform/http/problems"
import { readJson, refuseChoice, refuseSizeAndType } from "@/lib/platform/http/request-body"
import type { Principal, RequestInfo } from "@/lib/platform/http/scope"

/** Authentication, rate limits and authorization, which a request passes before its operation runs. */
export type Guard = {
  /** @throws Problem 401 */
  authenticate(request: Request, endpoint: Endpoint, info: RequestInfo): Promise<Principal>
  /** Counts a request without a credential by the address it comes from. @throws Problem 429 */
  admit(endpoint: Endpoint, info: RequestInfo): Promise<void>
  /** Counts the request. Headers of the count, for the answer. @throws Problem 429 */
  spend(endpoint: Endpoint, principal: Principal, io: Io): Promise<Record<string, string>>
  /** The authority for `run`. @throws Problem 403 or 404 on the project, 403 on the permission */
  authorize(
    endpoint: Endpoint,
    principal: Principal,
    raw: { path: Record<string, string>; query: URLSearchParams },
    info: RequestInfo,
  ): Promise<unknown>
  /** Told of every answer, off the request path. */
  answered(report: {
    endpoint: Endpoint
    principal?: Principal
    info: RequestInfo
    status: number
    durationMs: number
  }): void
}

type Handler = (request: Request) => Promise<Response>
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const
export type Handlers = Record<(typeof methods)[number], Handler>

/**
 * Turns the operations that live at one path into its route handlers: plain functions of Request to Response. All seven
 * methods are there, because the framework answers a missing one wrongly; what is not declared is 405 with `Allow`.
 */
export function createServe(guard: Guard, io: () => Io) {
  return function serve(...endpoints: Endpoint[]): Handlers {
    const allow = endpoints.map(methodOf).join(", ")
    const refuse: Handler = async () =>
      answerProblem(methodNotAllowed(`This path takes ${allow}.`, { headers: { Allow: allow } }), newRequestId().text)
    const handlers = Object.fromEntries(methods.map((method) => [method, refuse])) as Handlers
    for (const endpoint of endpoints) handlers[methodOf(endpoint)] = (request) => handle(endpoint, request, guard, io())
    return handlers
  }
}

async function handle(endpoint: Endpoint, request: Request, guard: Guard, io: Io): Promise<Response> {
  const startedAt = performance.now()
  const { uuid, text: requestId } = newRequestId()
  const ip = request.headers.get("x-client-ip") ?? "127.0.0.1"
  const info: RequestInfo = { id: uuid, ip, headers: request.headers, signal: request.signal }
  let principal: Principal | undefined
  let counted: Record<string, string> = {}
  let response: Response
  try {
    const url = new URL(request.url)
    const path = pathParams(endpoint, url.pathname)
    refuseSizeAndType(endpoint, request)
    let authority: unknown = { request: info }
    if (endpoint.access.credential === "none") {
      await guard.admit(endpoint, info)
    } else {
      principal = await guard.authenticate(request, endpoint, info)
      counted = await guard.spend(endpoint, principal, io)
      authority = await guard.authorize(endpoint, principal, { path, query: url.searchParams }, info)
    }
    const body = endpoint.body ? await readJson(endpoint, request) : undefined
    if (endpoint.actsOnAll) await refuseChoice(request)
    const input = { path, query: url.searchParams, body }
    const performed = await perform(endpoint, authority, endpoint.bodyStream ? { ...input, body: request } : input, io)
    response = answer(performed, requestId, counted)
  } catch (error) {
    // A client that disconnects in the middle of its request is not our fault, and reads no response.
    const left = request.signal.aborted && !(error instanceof Problem)
    const raised = left ? requestTimeout("The client disconnected.") : asProblem(error, requestId, endpoint.route)
    response = answerProblem(raised, requestId, counted)
  }
  guard.answered({ endpoint, principal, info, status: response.status, durationMs: performance.now() - startedAt })
  return response
}

function answer(performed: Performed, requestId: string, headers: Record<string, string>): Response {
  const all = { "Cache-Control": "no-store", "X-Request-Id": requestId, ...headers, ...performed.headers }
  if (performed.stream !== undefined) return new Response(performed.stream, { status: performed.status, headers: all })
  if (performed.json === undefined) return new Response(null, { status: performed.status, headers: all })
  return new Response(JSON.stringify(performed.json), {
    status: performed.status,
    headers: { "Content-Type": "application/json", "X-Content-Type-Options": "nosniff", ...all },
  })
}

/** A problem as a response, `application/problem+json`, whatever the caller accepts. It never throws. */
export function answerProblem(raised: Problem, requestId: string, counted: Record<string, string> = {}): Response {
  try {
    return problemResponse(raised, requestId, counted)
  } catch (error) {
    log.error({ err: error, requestId, code: raised.kind.code }, "a problem could not be written")
    return problemResponse(internalError(), requestId, {})
  }
}

function problemResponse(raised: Problem, requestId: string, counted: Record<string, string>): Response {
  const { retryAfterSeconds, headers } = raised.extras
  return new Response(JSON.stringify(problemDocument(raised, { baseUrl: env().baseUrl, requestId })), {
    status: raised.kind.status,
    headers: {
      "Content-Type": "application/problem+json",
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      "X-Request-Id": requestId,
      ...counted,
      ...(retryAfterSeconds === undefined ? {} : { "Retry-After": String(Math.max(1, Math.ceil(retryAfterSeconds))) }),
      ...headers,
    },
  })
}

/** Turns any error into a problem: an unreachable database and a full disk are 503, everything else is logged and hidden. */
function asProblem(error: unknown, requestId: string, route: string): Problem {
  if (error instanceof Problem) return error
  if (error instanceof JsonInvalid)
    return requestInvalid(error.detail, { errors: [{ pointer: "", detail: error.detail }] })
  if (isUnavailable(error)) {
    log.warn({ err: error, requestId, route }, "the database did not answer in time")
    return serviceUnavailable(undefined, { retryAfterSeconds: 1 })
  }
  if (isStorageFault(error)) {
    log.warn({ err: error, requestId, route }, "a file could not be written")
    return serviceUnavailable("The service cannot store anything right now. Try again later.", { retryAfterSeconds: 5 })
  }
  log.error({ err: error, requestId, route }, "an operation failed")
  return internalError(`Something failed on our side. Look up request ${requestId} in the log.`)
}

/** Values of the declared template's braces, percent-decoded. */
function pathParams(endpoint: Endpoint, pathname: string): Record<string, string> {
  const names = pathOf(endpoint).split("/")
  const values = pathname.split("/")
  const found: Record<string, string> = {}
  for (const [index, name] of names.entries()) {
    if (!name.startsWith("{")) continue
    try {
      found[name.slice(1, -1)] = decodeURIComponent(values[index] ?? "")
    } catch {
      throw pathNotFound()
    }
  }
  return found
}
