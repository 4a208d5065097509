import {
  type Asked,
  methodOf,
  pathOf,
  type Endpoint,
  type Deprecation,
  givesIdempotencyKey,
  noticeOf,
  noticeTexts,
  type NoticeCode,
} from "@/lib/platform/http/endpoint"
import {
  answerOf,
  asProblem,
  problemAnswer,
  toResponse,
  type Answer,
  wantsNulls,
  withNulls,
} from "@/lib/platform/http/answer"
import type { Io } from "@/lib/platform/io"
import { announceWork } from "@/lib/platform/jobs/notifications"
import { newRequestId, perform } from "@/lib/platform/http/perform"
import { Problem } from "@/lib/platform/http/problem"
import { methodNotAllowed, pathNotFound, requestTimeout } from "@/lib/platform/http/problems"
import { type BodyHold, holdBody, readJson, refuseChoice, refuseSizeAndType } from "@/lib/platform/http/request-body"
import {
  type RateCount,
  type Principal,
  type RequestInfo,
  noteNamed,
  type RequestFacts,
} from "@/lib/platform/http/scope"
import { env } from "@/lib/platform/env/env"
import { counter, histogram, secondsBuckets } from "@/lib/platform/metrics"

/** Authentication, rate limits and authorization, which a request passes before its operation runs. */
export type Guard = {
  /** @throws Problem 401 */
  authenticate(asked: Asked, endpoint: Endpoint, info: RequestInfo): Promise<Principal>
  /** Counts a request without a credential by the address it comes from. @throws Problem 429 */
  admit(endpoint: Endpoint, info: RequestInfo): void
  /** Counts the request, or leaves it to its operation; null where nothing limits it. @throws Problem 429 */
  count(endpoint: Endpoint, principal: Principal, asked: Asked): Promise<RateCount | null>
  /** The authority for `run`. @throws Problem 403 or 404 on the project, 403 on the permission */
  authorize(
    endpoint: Endpoint,
    principal: Principal,
    raw: { path: Record<string, string>; query: URLSearchParams },
    info: RequestInfo,
  ): Promise<unknown>
  /** Told of every answer, off the request path. */
  answered(report: AnswerReport): void
}

export type AnswerReport = {
  endpoint: Endpoint
  /** That was asked with: HEAD where the operation has GET. */
  method: string
  principal?: Principal
  info: RequestInfo
  status: number
  /** That was answered. */
  problem?: Problem
  facts: RequestFacts
  /** Of the notice that the answer carried. */
  notice: NoticeCode | null
  durationMs: number
}

/** A route handler of Next, and what it does without its `Request` and `Response`, for the web server. */
export type Handler = ((request: Request) => Promise<Response>) & {
  answer(asked: Asked): Promise<Answer>
  /** It answers rows without end. */
  isExport: boolean
}
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const
export type Handlers = Record<(typeof methods)[number], Handler>

export function handlerOf(answer: (asked: Asked) => Promise<Answer>, { isExport = false } = {}): Handler {
  return Object.assign(async (request: Request) => toResponse(await answer(request)), { answer, isExport })
}

/** The same handler for every method. */
export function handlersOf(handler: Handler): Handlers {
  return Object.fromEntries(methods.map((method) => [method, handler])) as Handlers
}

/**
 * Turns the operations that live at one path into its route handlers: plain functions of Request to Response. All seven
 * methods are there, because the framework answers a missing one wrongly; what is not declared is 405 with `Allow`. HEAD
 * answers what GET would, without its body.
 */
export function createServe(guard: Guard, io: () => Io) {
  return function serve(...endpoints: Endpoint[]): Handlers {
    const allow = endpoints.flatMap((endpoint) => (hasHead(endpoint) ? ["GET", "HEAD"] : methodOf(endpoint))).join(", ")
    const refused = () => methodNotAllowed(`This path takes ${allow}.`, { headers: { Allow: allow } })
    const handlers = handlersOf(handlerOf(async () => problemAnswer(refused(), newRequestId().text)))
    for (const endpoint of endpoints) {
      const isExport = endpoint.answers[2] === "text/csv"
      handlers[methodOf(endpoint)] = handlerOf((asked) => handle(endpoint, asked, guard, io()), { isExport })
      if (hasHead(endpoint))
        handlers.HEAD = handlerOf(async (asked) => withoutBody(await handle(endpoint, asked, guard, io())))
    }
    return handlers
  }
}

function hasHead(endpoint: Endpoint): boolean {
  return methodOf(endpoint) === "GET" && !endpoint.noHead
}

/** A stream that nobody will read is ended, with whatever it holds. */
async function withoutBody({ status, headers, body }: Answer): Promise<Answer> {
  if (body instanceof ReadableStream) await body.cancel().catch(() => undefined)
  return { status, headers, body: null }
}

async function handle(endpoint: Endpoint, asked: Asked, guard: Guard, io: Io): Promise<Answer> {
  const startedAt = performance.now()
  const { uuid, text: requestId } = newRequestId()
  const ip = asked.headers.get("x-client-ip") ?? "127.0.0.1"
  const facts: RequestFacts = { made: [] }
  const info: RequestInfo = {
    ...{ id: uuid, ip, headers: asked.headers, facts },
    // Made when it is asked for: few operations need it.
    get signal() {
      return asked.signal
    },
  }
  let principal: Principal | undefined
  let answer: Answer
  let problem: Problem | undefined
  let notice: NoticeCode | null = noticeOf(endpoint, asked)
  let hold: BodyHold | undefined
  const nulls = wantsNulls(asked)
  try {
    const url = new URL(asked.url)
    const path = pathParams(endpoint, url.pathname)
    noteNamed(facts, path)
    refuseSizeAndType(endpoint, asked)
    let authority: unknown = { request: info }
    if (endpoint.access.credential === "none") {
      guard.admit(endpoint, info)
    } else {
      principal = await guard.authenticate(asked, endpoint, info)
      info.count = (await guard.count(endpoint, principal, asked)) ?? undefined
      authority = await guard.authorize(endpoint, principal, { path, query: url.searchParams }, info)
    }
    hold = holdBody(endpoint, asked, accountOf(principal) ?? ip)
    const body = endpoint.body
      ? await readJson(endpoint, asked, { owner: ownerOf(principal, info), grow: hold.grow })
      : undefined
    if (endpoint.actsOnAll) await refuseChoice(asked)
    if (notice && givesIdempotencyKey(body)) notice = null
    const input = { path, query: url.searchParams, body }
    const performed = await perform(endpoint, authority, endpoint.bodyStream ? { ...input, body: asked } : input, io)
    await info.count?.take()
    answer = answerOf(nulls ? withNulls(endpoint, performed) : performed, requestId, info.count?.headers ?? {})
    if (methodOf(endpoint) !== "GET") announceWork()
  } catch (error) {
    const failure = await countedOr(error, info.count)
    // A client that disconnects in the middle of its request is not our fault, and reads no response.
    const left = !(failure instanceof Problem) && asked.signal.aborted
    problem = left ? requestTimeout("The client disconnected.") : asProblem(failure, requestId, endpoint.route)
    answer = problemAnswer(problem, requestId, info.count?.headers ?? {}, nulls)
  } finally {
    hold?.leave()
  }
  const owner = accountOf(principal)
  if (owner !== undefined) answer.owner = owner
  if (endpoint.crossOrigin) answer.headers["Access-Control-Allow-Origin"] = "*"
  if (notice) answer.headers["Mailroom-Notice"] = noticeTexts[notice]
  if (endpoint.deprecated) Object.assign(answer.headers, deprecationHeaders(endpoint.deprecated))
  const durationMs = performance.now() - startedAt
  const { method } = asked
  guard.answered({ endpoint, method, principal, info, status: answer.status, problem, facts, notice, durationMs })
  return answer
}

/** Of a key; a person may be in several. */
function accountOf(principal: Principal | undefined): string | undefined {
  return principal?.kind === "key" ? principal.organizationId : principal?.userId
}

/** Whose large bodies wait for each other. */
function ownerOf(principal: Principal | undefined, { ip }: RequestInfo): string {
  if (!principal) return ip
  return principal.kind === "key" ? principal.projectId : principal.userId
}

/** A failed request counts too: over its limit, that is what its client is told. */
async function countedOr(error: unknown, count: RateCount | undefined): Promise<unknown> {
  try {
    await count?.take()
    return error
  } catch (refusal) {
    return refusal
  }
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

/** What every answer of a deprecated operation says. Sources: RFC 9745 (Deprecation, a structured date), RFC 8594 (Sunset). */
function deprecationHeaders({ since, sunset, page }: Deprecation): Record<string, string> {
  return {
    Deprecation: `@${Math.floor(since.getTime() / 1000)}`,
    Sunset: sunset.toUTCString(),
    Link: `<${env().baseUrl}${page}>; rel="deprecation"; type="text/html"`,
  }
}

const requests = counter("mailroom_http_requests_total", "Answers by route template and class of status.", [
  "method",
  "route",
  "status",
])
const durations = histogram(
  "mailroom_http_request_duration_seconds",
  "From the request to its answer.",
  secondsBuckets,
  ["method", "route"],
)

/** Notes one answer. `route` is a template such as /v1/emails/{emailId}, never a path as it was asked. */
export function countAnswer(answer: { method: string; route: string; status: number; durationMs: number }) {
  const { method, route, status, durationMs } = answer
  requests.inc({ method, route, status: `${Math.floor(status / 100)}xx` })
  durations.observe({ method, route }, durationMs / 1000)
}
