import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http"
import { isIP, type Socket } from "node:net"
import { setTimeout as wait } from "node:timers/promises"
import { log } from "@/lib/platform/log"
import { isOfApi } from "@/lib/platform/http/paths"
import { countAnswer } from "@/lib/platform/http/serve"
import { emptyPolicy, pageHeaders, transportSecurity } from "@/lib/platform/http/page-headers"
import { createThroughput } from "@/lib/platform/jobs/throughput"
import type { Problem } from "@/lib/platform/http/problem"
import { internalError, serviceUnavailable } from "@/lib/platform/http/problems"
import {
  answerBrokenRequest,
  answerConnect,
  answerLate,
  answerRefusal,
  edgeRefusalOf,
  methodFor,
  originForm,
} from "@/lib/server/web/edge"
import { hourMs } from "@/lib/platform/time"

type Options = {
  /** Answers what `serveFirst` leaves: the API's or Next's handler. */
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<unknown> | unknown
  trustedProxyHops: number
  /** Answers requests before that; false for one that it leaves. */
  serveFirst?: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Milliseconds; `headersMs` is for the headers of a request. */
  limits?: BodyLimits & { headersMs: number }
}

export type WebServer = {
  server: Server
  /**
   * Accepts no new requests, ends streams, and waits at most `withinMs` for running responses. For `leaveMs` before that it answers
   * as usual, but is not ready any more and ends each connection with its answer, so that a load balancer goes elsewhere.
   */
  drain(withinMs: number, leaveMs?: number): Promise<void>
}

const settings = {
  // One limit for all routes would be too short for uploads or too long for everything else: watchBody limits bodies.
  requestTimeout: 0,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
}

/** How often Node looks for connections whose headers are late, at most. */
const checkEveryMs = 3_000

/** A stream sends something every 15 s: if nothing moves for so long, its client has stopped reading. */
const silentMs = 60_000

/** The HTTP server around Next: limits, client addresses, and responses that Node or Next would get wrong. */
export function createWebServer({
  handle,
  trustedProxyHops,
  serveFirst = () => false,
  limits = { ...bodyLimits, headersMs: 15_000 },
}: Options): WebServer {
  const running = new Set<ServerResponse>()
  /** Nothing after a refused request is answered: its end is where its sender and we may disagree. */
  const refused = new WeakSet<Socket>()
  let draining = false

  const refuse = (request: IncomingMessage, response: ServerResponse, refusal: Problem) => {
    refused.add(request.socket)
    answerRefusal(request, response, refusal)
  }

  const listener: RequestListener = (request, response) => {
    if (refused.has(request.socket)) return
    running.add(response)
    const startedAt = performance.now()
    request.url = originForm(request.url ?? "/")
    const isPage = !isOfApi(request.url)
    for (const [name, value] of Object.entries(transportSecurity())) response.setHeader(name, value)
    if (isPage) addPageHeaders(response)
    response.once("close", () => {
      running.delete(response)
      // The API counts its own responses by route.
      if (isPage)
        countAnswer({
          method: "any",
          route: "pages",
          status: response.statusCode,
          durationMs: performance.now() - startedAt,
        })
    })
    watchBody(request, response, limits, (socket) => answerLate(socket, response))
    if (draining) response.setHeader("Connection", "close")
    const refusal = draining && request.url === "/health/ready" ? stopping() : edgeRefusalOf(request)
    if (refusal) return refuse(request, response, refusal)
    request.method = methodFor(request)
    cleanHeaders(request, { trustedProxyHops, isPage })
    if (serveFirst(request, response)) return
    // Next answers 500 to a range that it cannot serve; a whole answer is always right (RFC 9110, 14.2).
    if (isPage) dropHeaders(request, (name) => name === "range" || name === "if-range")
    // Async, so that a synchronous throw is caught too.
    const answering = async () => handle(request, response)
    answering().catch((error: unknown) => answerFailure(request, response, error, refuse))
  }

  const server = createServer(
    {
      ...settings,
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: Math.min(checkEveryMs, limits.headersMs),
    },
    listener,
  )
  server.on("checkContinue", (request, response) => {
    continueOnRead(request, response)
    listener(request, response)
  })
  server.setTimeout(silentMs)
  // Node removes its own error listener from a socket that it hands over (CONNECT, upgrade): a reset would end the process.
  server.on("connection", (socket) => socket.on("error", () => {}))
  server.on("clientError", answerBrokenRequest)
  server.on("connect", (_, socket) => answerConnect(socket))
  return { server, drain }

  async function drain(withinMs: number, leaveMs = 0) {
    draining = true
    if (leaveMs > 0) await wait(leaveMs)
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const response of running) endStream(response)
    server.closeIdleConnections()
    await Promise.race([closed, wait(withinMs, undefined, { ref: false })])
    server.closeAllConnections()
  }
}

/** For what failed outside of its operation. */
export function answerFailure(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  refuse: typeof answerRefusal,
) {
  // The client disconnected or was cut off in the middle of its body: not the handler's fault, and no one to answer.
  if (request.destroyed && !request.complete) return
  log.error({ err: error }, "a request failed outside its handler")
  if (response.headersSent) response.destroy()
  else refuse(request, response, internalError())
}

function stopping() {
  return serviceUnavailable("This process is stopping.", { retryAfterSeconds: 1 })
}

/** A stream never ends on its own; its client reconnects to the next process. */
function endStream(response: ServerResponse) {
  const type = String(response.getHeader("content-type") ?? "")
  // An image of an email may be held open, too.
  if (type.startsWith("text/event-stream") || type === "image/gif") response.destroy()
}

// Headers that Next uses internally: sent from outside they would change its routing (CVE-2025-29927).
const internal = /^x-(middleware|invoke|nextjs|now)-|^x-matched-path$|^x-client-ip$/
/** What Next's browser code sends with requests for pages: at the API they would choose another answer. */
const ofPages = /^rsc$|^next-/
const forwarded = /^x-forwarded-|^forwarded$|^x-real-ip$/

function cleanHeaders(
  request: IncomingMessage,
  { trustedProxyHops, isPage }: { trustedProxyHops: number; isPage: boolean },
) {
  const address = clientAddress(request.socket.remoteAddress, request.headers, trustedProxyHops)
  // These tell a question of the proxy on this machine from one that came through it.
  const keepsForwarded = trustedProxyHops > 0 || /^\/internal\//.test(request.url ?? "")
  dropHeaders(
    request,
    (name) => internal.test(name) || (!keepsForwarded && forwarded.test(name)) || (!isPage && ofPages.test(name)),
  )
  request.headers["x-client-ip"] = address
  request.rawHeaders.push("x-client-ip", address)
}

function dropHeaders(request: IncomingMessage, unwanted: (name: string) => boolean) {
  const { headers, rawHeaders } = request
  // Few requests have such headers; only theirs are copied.
  const found = Object.keys(headers).filter(unwanted)
  if (found.length === 0) return
  for (const name of found) delete headers[name]
  const isWanted = (at: number) => !unwanted((rawHeaders[at - (at % 2)] ?? "").toLowerCase())
  request.rawHeaders = rawHeaders.filter((_, at) => isWanted(at))
}

/**
 * Says 100 Continue when the body is first read, not when its request arrives: a body that is refused by its headers is not asked for.
 * Its sender may send it all the same, so that the connection ends then.
 */
export function continueOnRead(request: IncomingMessage, response: ServerResponse) {
  const read = request._read.bind(request)
  response.setHeader("Connection", "close")
  const say = () => {
    request._read = read
    unsaid.delete(request)
    if (response.headersSent || response.destroyed) return
    response.removeHeader("Connection")
    response.writeContinue()
  }
  unsaid.set(request, say)
  request._read = (size) => {
    say()
    read(size)
  }
}

const unsaid = new WeakMap<IncomingMessage, () => void>()

/** Says it now: a body that came unasked would be read without. */
export function sayContinue(request: IncomingMessage) {
  unsaid.get(request)?.()
}

/**
 * The client's address: that of the socket, or, behind `hops` proxies of our own, the one that the outermost of them
 * added to X-Forwarded-For. Entries further left come from the client and are never trusted.
 */
function clientAddress(socketAddress: string | undefined, headers: IncomingHttpHeaders, hops: number): string {
  const direct = plain(socketAddress ?? "")
  if (hops === 0) return direct
  const forwarded = String(headers["x-forwarded-for"] ?? "")
    .split(",")
    .map((part) => plain(part.trim()))
  const chain = [...forwarded.filter(Boolean), direct]
  const claimed = chain[Math.max(0, chain.length - 1 - hops)] ?? direct
  return isIP(claimed) ? claimed : direct
}

function plain(address: string): string {
  const bare = /^\[([^\]]+)\](:\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address
  return bare.replace(/^::ffff:(?=\d+\.)/i, "")
}

/**
 * Adds the headers of a page to a response when it is written, except those that it sets itself: files, errors and 404
 * come from Next or from us without passing `proxy.ts`. A response with its own policy is left unchanged.
 */
function addPageHeaders(response: ServerResponse) {
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse
  response.writeHead = (...given: unknown[]) => {
    const own = new Set([...response.getHeaderNames(), ...namesOf(given.at(-1))])
    if (!own.has("content-security-policy") && !response.headersSent) {
      const policy = { "Content-Security-Policy": emptyPolicy }
      for (const [name, value] of Object.entries({ ...pageHeaders(), ...policy })) {
        if (!own.has(name.toLowerCase())) response.setHeader(name, value)
      }
    }
    return writeHead(...given)
  }
}

function namesOf(headers: unknown): string[] {
  return typeof headers === "object" && headers !== null ? Object.keys(headers).map((name) => name.toLowerCase()) : []
}

/** How long a request's body may take, in milliseconds. */
export type BodyLimits = {
  /** From its first byte to its last. */
  wholeMs: number
  /** The same on the routes that take a file, where it may last as long as it never falls silent for `silentMs`. */
  uploadMs: number
  silentMs: number
  /** For the rest of it once the response has been sent. */
  answeredMs: number
}

/** One second more than the API's own limit of 30 s, whose response is the better one. */
const bodyLimits: BodyLimits = { wholeMs: 31_000, uploadMs: hourMs, silentMs: 31_000, answeredMs: 5_000 }

/** Uploads of files, possibly over slow connections: the operations that read their body as a stream. */
const uploads = [
  /^\/v1\/projects\/[^/]+\/contacts\/import$/,
  /^\/v1\/projects\/[^/]+\/contacts\/[^/]+\/image$/,
  /^\/v1\/projects\/[^/]+\/domains\/[^/]+\/(?:dmarc\/reports|tls-reports)$/,
]

export function takesFile({ method, url = "" }: Pick<IncomingMessage, "method" | "url">): boolean {
  const path = url.split("?", 1)[0] ?? ""
  return method === "POST" && uploads.some((pattern) => pattern.test(path))
}

/** Calls `late` once when the body of a request takes too long. Node has only one limit for all routes. */
function watchBody(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
  late: (socket: Socket) => void,
) {
  if (!announcesBody(request)) return
  // A body whose reader has given up is detached from its socket, which still receives data.
  const { socket } = request
  const stop = takesFile(request) ? watchUpload(request, limits, giveUp) : after(limits.wholeMs, giveUp)
  // Before Node's own listener, which would discard at any speed.
  response.prependOnceListener("finish", () => {
    if (!request.complete && !request.destroyed) discard(request, socket)
  })
  response.once("close", () => {
    stop()
    if (!request.complete && !socket.destroyed) after(limits.answeredMs, giveUp)
  })

  function giveUp() {
    stop()
    if (!request.complete) late(socket)
  }
}

/** Of bodies that nobody wants any more, by the address of the connection: receiving more keeps the requests of others waiting. */
const paceOfDiscarded = createThroughput({ perSecond: 32 * 2 ** 20, burst: 2 ** 20 })

/** Reads the rest of a body away, so that its sender gets to read the response. */
function discard(request: IncomingMessage, { remoteAddress: address = "" }: Socket) {
  request.on("data", (chunk: Buffer) => {
    const pauseMs = paceOfDiscarded(address, chunk.length)
    if (pauseMs < 1) return
    request.pause()
    after(pauseMs, () => request.resume())
  })
  // Says at once that somebody reads.
  request.read(0)
}

/** RFC 9112 6: without either of them a request has no body. */
function announcesBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"
}

/** Watches the socket's byte count: listening to the body itself would consume it. */
function watchUpload({ socket }: IncomingMessage, { uploadMs, silentMs }: BodyLimits, late: () => void) {
  // Storing the file comes before the response and may take longer than the server's socket timeout.
  socket.setTimeout(uploadMs)
  const endsAt = performance.now() + uploadMs
  let progress = { bytes: socket.bytesRead, at: performance.now() }
  const timer = setInterval(() => {
    const now = performance.now()
    if (socket.bytesRead !== progress.bytes) progress = { bytes: socket.bytesRead, at: now }
    if (now >= endsAt || now - progress.at >= silentMs) late()
  }, silentMs / 10).unref()
  return () => clearInterval(timer)
}

function after(ms: number, then: () => void) {
  const timer = setTimeout(then, ms).unref()
  return () => clearTimeout(timer)
}
