import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** How long a request's body may take, in milliseconds. */
export type BodyLimits = {
  /** From its first byte to its last. */
  wholeMs: number
  /** The same on the routes that take a file, where it may last as long as it never falls silent for `silentMs`. */
  uploadMs: number
  silentMs: number
  /** For what is still coming of it once its answer has gone. */
  answeredMs: number
}

/** The API gives a silent or slow body up after 30 s by itself, and its answer is the better one: hence one more. */
export const bodyLimits: BodyLimits = { wholeMs: 31_000, uploadMs: 3_600_000, silentMs: 31_000, answeredMs: 5_000 }

/** What takes a file of a person's choosing over a person's line: the operations that read their body as a stream. */
const uploads = [/^\/v1\/projects\/[^/]+\/contacts\/import$/, /^\/v1\/projects\/[^/]+\/contacts\/[^/]+\/image$/]

export function takesFile({ method, url = "" }: Pick<IncomingMessage, "method" | "url">): boolean {
  const path = url.split("?", 1)[0] ?? ""
  return method === "POST" && uploads.some((pattern) => pattern.test(path))
}

/** Calls `late` once when the body of a request takes longer than it may. Node's own limit is one for all routes. */
export function watchBody(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
  late: (socket: Socket) => void,
) {
  if (!announcesBody(request)) return
  // A body whose reader has given up is parted from its socket, which still takes what comes.
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

/** By the socket's count of bytes: listening to the body itself would take it from its reader. */
function watchUpload({ socket }: IncomingMessage, { uploadMs, silentMs }: BodyLimits, late: () => void) {
  // Storing the file comes before the answer, and may say nothing for longer than the server's own patience.
  socket.setTimeout(uploadMs)
  const endsAt = performance.now() + uploadMs
  let heard = { bytes: socket.bytesRead, at: performance.now() }
  const timer = setInterval(() => {
    const now = performance.now()
    if (socket.bytesRead !== heard.bytes) heard = { bytes: socket.bytesRead, at: now }
    if (now >= endsAt || now - heard.at >= silentMs) late()
  }, silentMs / 10).unref()
  return () => clearInterval(timer)
}

function after(ms: number, then: () => void) {
  const timer = setTimeout(then, ms).unref()
  return () => clearTimeout(timer)
}
