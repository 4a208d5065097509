import { STATUS_CODES, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { env } from "@/lib/platform/env/env"
import { isOfApi } from "@/lib/platform/http/paths"
import { emptyPolicy, pageHeaders } from "@/lib/platform/http/page-headers"
import { newRequestId } from "@/lib/platform/http/perform"
import { problem, problemDocument, type Problem } from "@/lib/platform/http/problem"
import { methodNotAllowed, pathNotFound, requestInvalid, requestTimeout } from "@/lib/platform/http/problems"
import { parseUrl } from "@/lib/platform/url-rules"

// Requests that never reach a route handler, because Node or Next would answer them first and wrongly, get problems here.

const headersTooLarge = problem(
  "request.headers_too_large",
  431,
  "Headers too large",
  "Request line and headers together may hold 16 KiB.",
)

const lingerMs = 1_000

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
const allow = methods.join(", ")

type Asked = { method?: string; url?: string; headers?: IncomingHttpHeaders; rawHeaders?: readonly string[] }

/** The problem of a request by its request line, in origin form, and its headers; null passes it on. */
export function edgeRefusalOf(request: Asked): Problem | null {
  const [path = ""] = (request.url ?? "/").split("?", 1)
  // RFC 9112, 3.2: one Host alone says for whom a request is, and two let a proxy and us read different ones.
  if (hostsIn(request.rawHeaders ?? []) > 1) return requestInvalid("A request has one Host header.")
  // `*` is about the server as a whole, about which there is nothing to ask.
  if (!path.startsWith("/")) return pathNotFound()
  if (!isDecodable(path)) return pathNotFound("The path is not valid percent-encoding.")
  if (isApiPath(path) && path !== canonical(path)) return pathNotFound()
  if (isApiPath(path) && /^\/\w+$|\/$/.test(path)) return pathNotFound()
  if (!isApiPath(path) && isCall(path, request)) return pathNotFound()
  if (methods.includes(request.method ?? "") || isApiPath(path)) return null
  return methodNotAllowed(`This path takes ${allow}.`, { headers: { Allow: allow } })
}

function hostsIn(rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && /^host$/i.test(rawHeaders[at] ?? "")) count++
  return count
}

/** Outside the API, what takes a body: signing in, links in emails, other cells. No page does. */
const takesBodies = /^\/(api\/auth|hooks\/cells|u|t|files|health|internal|problems)(\/|$)/
/** Where other services have an API, and this one has nothing. */
const likeAnApi = /^\/(api|v[0-9]+)(\/|$)/

/**
 * Whether a program calls a path that is none of the API's, such as `/api/emails` or `/emails`. Next would answer it as a page, or as an
 * unknown action of one.
 */
function isCall(path: string, { method, headers = {} }: Asked): boolean {
  const folded = canonical(path)
  if (/text\/html/i.test(headers.accept ?? "") || takesBodies.test(folded)) return false
  if (method === "GET" || method === "HEAD") return likeAnApi.test(folded)
  return /^\s*(multipart\/|application\/([\w.-]+\+)?json)/i.test(headers["content-type"] ?? "")
}

/**
 * The method to call Next with. Next answers 500 to methods such as TRACE; under /v1 we use OPTIONS instead, which
 * every path refuses with 405 and the methods that it supports, and an unknown path with 404.
 */
export function methodFor(request: { method?: string }): string {
  return methods.includes(request.method ?? "") ? (request.method ?? "GET") : "OPTIONS"
}

export function answerRefusal(request: IncomingMessage, response: ServerResponse, refusal: Problem) {
  const { headers, body } = written(refusal)
  response.writeHead(refusal.kind.status, { ...headers, Connection: "close" })
  response.end(request.method === "HEAD" ? undefined : body)
}

/** For a socket without a valid request: the parser failed, or the request never ended. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Duplex) {
  if (error.code === "ECONNRESET" || !socket.writable) return socket.destroy()
  writeRefusal(socket, refusalOfBroken(error.code))
}

/** For a body that did not arrive in time. */
export function answerLate(socket: Duplex, response: ServerResponse) {
  if (response.headersSent || !socket.writable) return socket.destroy()
  writeRefusal(socket, requestTimeout())
  // Closing at once while data still arrives would discard the response; a client that keeps sending is cut off after this.
  setTimeout(() => socket.destroy(), lingerMs).unref()
}

/** CONNECT reaches no request handler: Node hands its socket over. */
export function answerConnect(socket: Duplex) {
  writeRefusal(socket, methodNotAllowed("This is no proxy.", { headers: { Allow: allow } }))
}

function refusalOfBroken(code: string | undefined): Problem {
  if (code === "HPE_HEADER_OVERFLOW") return headersTooLarge()
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return requestTimeout()
  if (code === "HPE_INVALID_METHOD") return methodNotAllowed("This method is unknown.", { headers: { Allow: allow } })
  return requestInvalid("This is not a valid HTTP request.")
}

function writeRefusal(socket: Duplex, refusal: Problem) {
  const { headers, body } = written(refusal)
  const lines = Object.entries({ ...headers, Connection: "close" }).map(([name, value]) => `${name}: ${value}`)
  const status = `HTTP/1.1 ${refusal.kind.status} ${STATUS_CODES[refusal.kind.status]}`
  socket.end([status, ...lines, "", body].join("\r\n"))
}

function written(refusal: Problem) {
  const requestId = newRequestId().text
  const { retryAfterSeconds } = refusal.extras
  const body = JSON.stringify(problemDocument(refusal, { baseUrl: env().baseUrl, requestId }))
  const headers = {
    "Content-Type": "application/problem+json",
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
    ...pageHeaders(),
    "Content-Security-Policy": emptyPolicy,
    "X-Request-Id": requestId,
    ...(retryAfterSeconds === undefined ? {} : { "Retry-After": String(retryAfterSeconds) }),
    ...refusal.extras.headers,
  }
  return { headers, body }
}

/** The target of a request without scheme and host, where its line has them (RFC 9112, 3.2.2), and without a fragment. */
export function originForm(target: string): string {
  const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(target)?.[0] ?? ""
  const [rest = ""] = target.slice(origin.length).split("#", 1)
  return origin === "" || rest.startsWith("/") ? rest : `/${rest}`
}

/** Also where it only becomes one once slashes or dots are folded: Next would redirect or fold those itself. */
function isApiPath(path: string): boolean {
  return [path, canonical(path)].some((form) => isOfApi(form))
}

function canonical(path: string): string {
  const folded = path.replace(/[/\\]+/g, "/")
  return parseUrl(folded, "http://host")?.pathname ?? folded
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
