import type { IncomingMessage, ServerResponse } from "node:http"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { type Answer, problemAnswer } from "@/lib/platform/http/answer"
import type { Asked, Receiving } from "@/lib/platform/http/endpoint"
import { readIncoming, streamOf } from "@/lib/platform/http/request-body"
import { pathTable } from "@/lib/platform/http/paths"
import { serviceUnavailable } from "@/lib/platform/http/problems"
import type { Handlers } from "@/lib/platform/http/serve"
import { createRoom } from "@/lib/platform/jobs/room"
import { isHeavy, type PassOn } from "@/lib/server/web/heavy-requests"
import { isCompressed, mayShrink } from "@/lib/server/web/static-server"

/** Templates of the API's route folders with what their files export. */
export type Routes = readonly (readonly [template: string, handlers: Handlers])[]

/**
 * Serves the API by calling its route handlers before Next, whose routing costs twice what they do. Returns null for a path
 * that none of them serves, and rejects where an answer could not be written. `passOn` answers what others would wait for.
 */
export function createDirectApi(routes: Routes, passOn: PassOn | null = null) {
  const find = pathTable(routes)
  return (request: IncomingMessage, response: ServerResponse): Promise<void> | null => {
    const [path = ""] = (request.url ?? "").split("?", 1)
    const handler = find(path)?.[request.method as keyof Handlers]
    if (!handler) return null
    const here = async () => writeAnswer(request, response, await handler.answer(new DirectRequest(request, response)))
    return passOn && isHeavy(request, handler) ? passOn(request, response, here) : here()
  }
}

/** Node's request as an operation reads it. Signal and stream are made only where somebody asks for them. */
class DirectRequest implements Asked {
  private made: AbortController | undefined
  private stream: ReadableStream<Uint8Array> | undefined

  constructor(
    private readonly incoming: IncomingMessage,
    private readonly response: ServerResponse,
  ) {}

  get url(): string {
    return `http://localhost${this.incoming.url}`
  }

  get method(): string {
    return this.incoming.method ?? "GET"
  }

  readonly headers = {
    get: (name: string): string | null => {
      const value = this.incoming.headers[name.toLowerCase()]
      return (Array.isArray(value) ? value.join(", ") : value) ?? null
    },
  }

  /** Aborted when the client disconnects before the answer has been sent. */
  get signal(): AbortSignal {
    return (this.made ??= this.leaving()).signal
  }

  get body(): ReadableStream<Uint8Array> {
    return (this.stream ??= streamOf(this.incoming))
  }

  readAtMost(bytesMax: number, waitMs: number, receiving?: Receiving): Promise<Uint8Array> {
    return readIncoming(this.incoming, bytesMax, waitMs, receiving)
  }

  private leaving(): AbortController {
    const { incoming, response } = this
    const { socket } = incoming
    const controller = new AbortController()
    const onClose = () => {
      socket.off("close", onClose)
      if (!response.writableFinished) controller.abort()
    }
    if (response.destroyed || socket.destroyed) onClose()
    response.once("close", onClose)
    // A response that waits behind others of its connection is not told that this has closed.
    socket.once("close", onClose)
    return controller
  }
}

// Writing the answer

const gzipped = promisify(gzip)
const takeWithinMs = 60_000

/** Answers up to this size are not counted. */
const countedBytes = 2 ** 20
/** Of larger ones that clients have not taken yet: of everybody in this process, and of one organization. */
const untakenBytesMax = 512 * 2 ** 20
const untakenOfOneBytesMax = 128 * 2 ** 20
const untaken = createRoom({ bytesMax: untakenBytesMax, ownerBytesMax: untakenOfOneBytesMax })

/**
 * The answer, or a refusal where clients of the same organization leave so much untaken that a few more would fill the memory of
 * this process: an email has up to 25 MiB, and who reads it slowly holds it for as long.
 */
function heldAnswer({ socket }: IncomingMessage, response: ServerResponse, answer: Answer): Answer {
  const length = lengthOf(answer.body) ?? 0
  if (answer.owner === undefined || length <= countedBytes) return answer
  const place = untaken.enter(answer.owner)
  if (place.take(length)) {
    const leave = () => {
      socket.off("close", leave)
      place.leave()
    }
    if (response.destroyed || socket.destroyed) leave()
    response.once("close", leave)
    // A response that waits behind others of its connection is not told that this has closed.
    socket.once("close", leave)
    return answer
  }
  const problem = serviceUnavailable("Too many large responses have not been read yet. Read them, or close them.", {
    retryAfterSeconds: 5,
  })
  return problemAnswer(problem, answer.headers["X-Request-Id"] ?? "")
}

/**
 * Writes an answer, compressed where that is worth it. A stream is read no faster than the client takes it, and cancelled when
 * the client disconnects. Rejects when a stream fails; before its first chunk nothing has been written.
 */
export async function writeAnswer(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
  const isHead = request.method === "HEAD"
  const { status, headers, body } = isHead ? answer : heldAnswer(request, response, answer)
  const shrinks = mayShrink(headers["Content-Type"])
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
