import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { hourMs } from "@/lib/platform/time"

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
export const bodyLimits: BodyLimits = { wholeMs: 31_000, uploadMs: hourMs, silentMs: 31_000, answeredMs: 5_000 }

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
export function watchBody(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
  late: (socket: Socket) => void,
) {
  if (!announcesBody(request)) return
  // A body whose reader has given up is detached from its socket, which still receives data.
  const { socket } = request
  const stop = takesFile(request) ? watchUpload(request, limits, giveUp) : after(limits.wholeMs, giveUp)
  response.once("close", () => {
    stop()
    if (!request.complete && !socket.destroyed) after(limits.answeredMs, giveUp)
  })

  function giveUp() {
    stop()
    if (!request.complete) late(socket)
  }
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
