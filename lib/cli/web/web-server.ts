import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http"
import { setTimeout as wait } from "node:timers/promises"
import { log } from "@/lib/platform/log"
import { countAnswer } from "@/lib/platform/http/request-metrics"
import { internalError } from "@/lib/platform/http/problems"
import { addPageHeaders } from "@/lib/cli/web/answer-headers"
import { bodyLimits, watchBody, type BodyLimits } from "@/lib/cli/web/body-watch"
import { clientAddress } from "@/lib/cli/web/client-address"
import { answerBrokenRequest, answerConnect, answerLate, answerRefusal, methodFor, refusalOf } from "@/lib/cli/web/edge"

type Options = {
  /** Next's request handler. */
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<unknown> | unknown
  trustedProxyHops: number
  /** Milliseconds; `headersMs` is for the headers of a request. */
  limits?: BodyLimits & { headersMs: number }
}

export type WebServer = {
  server: Server
  /** Takes no new requests, ends streams, waits for the answers under way, at most `withinMs`. */
  drain(withinMs: number): Promise<void>
}

const settings = {
  // One limit for all routes would either cut long uploads or let everything else dawdle: bodies have a watch of ours.
  requestTimeout: 0,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
}

/** A stream says something every 15 s: where nothing moves for so long, its reader has stopped reading. */
const silentMs = 60_000

/** The HTTP server around Next: limits, who is asking, and the answers that neither Node nor Next gives as it should. */
export function createWebServer({
  handle,
  trustedProxyHops,
  limits = { ...bodyLimits, headersMs: 15_000 },
}: Options): WebServer {
  const underWay = new Set<ServerResponse>()
  let draining = false

  const listener: RequestListener = (request, response) => {
    underWay.add(response)
    const startedAt = performance.now()
    const isPage = !request.url?.startsWith("/v1/")
    if (isPage) addPageHeaders(response)
    response.once("close", () => {
      underWay.delete(response)
      // The API counts its own answers, by their route.
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
    const refusal = refusalOf(request)
    if (refusal) return answerRefusal(request, response, refusal)
    request.method = methodFor(request)
    cleanHeaders(request, trustedProxyHops)
    // What it throws at once is caught too.
    const answering = async () => handle(request, response)
    answering().catch((error: unknown) => {
      // Gone in the middle of its body, or cut off: no fault of the handler's, and nobody reads an answer.
      if (request.destroyed && !request.complete) return
      log.error({ err: error }, "a request failed outside its handler")
      if (response.headersSent) response.destroy()
      else answerRefusal(request, response, internalError())
    })
  }

  const server = createServer({ ...settings, headersTimeout: limits.headersMs }, listener)
  server.setTimeout(silentMs)
  // Node takes its own listener away from a socket that it hands over (CONNECT, upgrade): a reset would end the process.
  server.on("connection", (socket) => socket.on("error", () => {}))
  server.on("clientError", answerBrokenRequest)
  server.on("connect", (_, socket) => answerConnect(socket))
  return { server, drain }

  async function drain(withinMs: number) {
    draining = true
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const response of underWay) endStream(response)
    server.closeIdleConnections()
    await Promise.race([closed, wait(withinMs, undefined, { ref: false })])
    server.closeAllConnections()
  }
}

/** A stream has no end of its own to wait for; its reader connects again and finds the next process. */
function endStream(response: ServerResponse) {
  if (String(response.getHeader("content-type") ?? "").startsWith("text/event-stream")) response.destroy()
}

// Headers by which Next talks to itself: from outside they would steer its routing (CVE-2025-29927).
const internal = /^x-(middleware|invoke|nextjs|now)-|^x-matched-path$|^x-client-ip$/
const forwarded = /^x-forwarded-|^forwarded$|^x-real-ip$/

function cleanHeaders(request: IncomingMessage, trustedProxyHops: number) {
  const address = clientAddress(request.socket.remoteAddress, request.headers, trustedProxyHops)
  const { headers, rawHeaders } = request
  const unwanted = (name: string) => internal.test(name) || (trustedProxyHops === 0 && forwarded.test(name))
  // Hardly any request says such a thing: the others are not copied.
  const found = Object.keys(headers).filter(unwanted)
  for (const name of found) delete headers[name]
  if (found.length > 0) {
    const kept = (at: number) => !unwanted((rawHeaders[at - (at % 2)] ?? "").toLowerCase())
    request.rawHeaders = rawHeaders.filter((_, at) => kept(at))
  }
  headers["x-client-ip"] = address
  request.rawHeaders.push("x-client-ip", address)
}
