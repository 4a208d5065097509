import type { IncomingMessage, ServerResponse } from "node:http"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import type { Answer } from "@/lib/platform/http/answer"
import { isCompressed, mayShrink } from "@/lib/server/web/encoding-rules"

const gzipped = promisify(gzip)
const takeWithinMs = 60_000

/**
 * Writes an answer, compressed where that is worth it. A stream is read no faster than the client takes it, and cancelled when
 * the client disconnects. Rejects when a stream fails; before its first chunk nothing has been written.
 */
export async function writeAnswer(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
  const { status, headers, body } = answer
  const shrinks = mayShrink(headers["Content-Type"])
  const isHead = request.method === "HEAD"
  const accepted = isHead || !shrinks || body === null ? undefined : request.headers["accept-encoding"]
  const compressed = isCompressed(accepted, lengthOf(body))
  const begin = () => {
    response.statusCode = status
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    if (shrinks) response.setHeader("Vary", "Accept-Encoding")
    if (compressed) response.setHeader("Content-Encoding", "gzip")
  }
  if (body instanceof ReadableStream) {
    if (!isHead) return writeStream(response, compressed ? body.pipeThrough(compressor()) : body, begin)
    await body.cancel()
  }
  const bytes = body === null || body instanceof ReadableStream ? undefined : compressed ? await gzipped(body) : body
  begin()
  response.end(bytes)
}

async function writeStream(response: ServerResponse, stream: ReadableStream<Uint8Array>, begin: () => void) {
  const reader = stream.getReader()
  const leave = () => void reader.cancel().catch(() => undefined)
  if (response.destroyed) return leave()
  response.once("close", leave)
  let next = await reader.read()
  begin()
  while (!next.done && !response.destroyed) {
    if (!response.write(next.value) && !(await drained(response))) {
      // Whoever takes nothing holds what the stream holds: it is cut off, and the stream cancelled.
      response.destroy()
      return
    }
    next = await reader.read()
  }
  response.end()
}

/** False where the client has taken nothing for a minute. */
function drained(response: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isDrained: boolean) => {
      clearTimeout(timer)
      response.off("drain", done).off("close", done)
      resolve(isDrained)
    }
    const done = () => end(true)
    const timer = setTimeout(() => end(false), takeWithinMs)
    response.on("drain", done).on("close", done)
  })
}

function compressor() {
  // The types of the platform call the chunks BufferSource.
  return new CompressionStream("gzip") as unknown as TransformStream<Uint8Array, Uint8Array>
}

function lengthOf(body: Answer["body"]): number | null {
  if (typeof body === "string") return Buffer.byteLength(body)
  return body instanceof Uint8Array ? body.length : null
}
