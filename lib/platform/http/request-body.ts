import type { Asked, Endpoint, Receiving } from "@/lib/platform/http/endpoint"
import { Faults } from "@/lib/platform/http/faults"
import { parseJson, parseLargeJson } from "@/lib/platform/http/json"
import { createThroughput } from "@/lib/platform/jobs/throughput"
import { createShare } from "@/lib/platform/jobs/turns"
import { createRoom } from "@/lib/platform/jobs/room"
import { bodyTooLarge, requestTimeout, serviceUnavailable, unsupportedMediaType } from "@/lib/platform/http/problems"
import type { IncomingMessage } from "node:http"

const defaultBodyBytesMax = 2 ** 20
/** Without a credential: the largest of these bodies is a form of a few fields. */
const publicBodyBytesMax = 16 * 1024
const bodyWaitMs = 30_000

/** Refuses a body by its headers alone. @throws requestTooLarge, unsupportedMediaType */
export function refuseSizeAndType(endpoint: Endpoint, asked: Asked) {
  if (!endpoint.body && !endpoint.bodyStream) return
  const bytesMax = bodyBytesMaxOf(endpoint)
  if (Number(asked.headers.get("content-length") ?? 0) > bytesMax) throw bodyTooLarge(bytesMax)
  const type = asked.headers.get("content-type") ?? ""
  const wanted = endpoint.bodyStream ?? "application/json"
  const [mediaType = "", ...parameters] = type
    .toLowerCase()
    .split(";")
    .map((part) => part.trim())
  const charset = parameters.find((parameter) => parameter.startsWith("charset="))
  const encoding = asked.headers.get("content-encoding")
  if (mediaType !== wanted)
    throw unsupportedMediaType(`This operation takes ${wanted}, not ${mediaType || "a body without a type"}.`)
  if (charset && !/^charset="?utf-?8"?$/.test(charset)) throw unsupportedMediaType("The body must be UTF-8.")
  if (encoding && encoding !== "identity") throw unsupportedMediaType("The body must not be compressed.")
}

function bodyBytesMaxOf({ access, bodyBytesMax }: Endpoint): number {
  return bodyBytesMax ?? (access.credential === "none" ? publicBodyBytesMax : defaultBodyBytesMax)
}

/** Bodies up to this size are not counted. */
const countedBytes = 2 ** 20
/** Of larger ones that are being received or worked on: of everybody in this process, and of one account. */
const held = createRoom({ bytesMax: 1024 * 2 ** 20, ownerBytesMax: 256 * 2 ** 20 })

/** The place of a body in memory, until `leave` is called. */
export type BodyHold = Pick<Receiving, "grow"> & { leave(): void }

const unheld: BodyHold = { grow: () => undefined, leave: () => undefined }

/**
 * Makes room for the body of a request: a client may take half a minute to send it, and all of it is in memory meanwhile. One without
 * Content-Length takes its room as it comes. Imports of CSV are written to a file as they arrive.
 * @throws serviceUnavailable where the account, or all together, have too much under way
 */
export function holdBody({ body, bodyStream }: Endpoint, asked: Asked, account: string): BodyHold {
  if (!body && (!bodyStream || bodyStream === "text/csv")) return unheld
  const announced = asked.headers.get("content-length")
  if (announced !== null && Number(announced) <= countedBytes) return unheld
  const place = held.enter(account)
  const take = (bytes: number) => {
    if (!place.take(bytes))
      throw serviceUnavailable("Too many large requests of yours, or of all, are under way. Send fewer at once.", {
        retryAfterSeconds: 1,
      })
  }
  if (announced !== null) take(Number(announced))
  let come = 0
  return {
    grow(bytes) {
      if (announced !== null) return
      const counted = Math.max(come, countedBytes)
      come += bytes
      if (come > counted) take(come - counted)
    },
    leave: place.leave,
  }
}

/**
 * Large bodies of one owner are parsed one at a time, with a rest of the same length: others come in between.
 * @throws JsonInvalid, requestTooLarge, requestTimeout
 */
export async function readJson(endpoint: Endpoint, asked: Asked, receiving: Receiving): Promise<unknown> {
  const bytes = await readBytes(asked, bodyBytesMaxOf(endpoint), receiving)
  return bytes.length <= largeBytes
    ? parseJson(bytes, endpoint.bodyPartsMax)
    : parsing(receiving.owner, () => parseLargeJson(bytes, endpoint.bodyPartsMax))
}

const largeBytes = 256 * 1024
const parsing = createShare()

/** For an operation that acts on everything. @throws requestInvalid unless the body is empty or `{}` */
export async function refuseChoice(asked: Asked) {
  const bytes = await readBytes(asked, publicBodyBytesMax)
  const text = new TextDecoder().decode(bytes).trim()
  if (text === "" || /^\{\s*\}$/.test(text)) return
  const faults = new Faults()
  faults.add("", "This operation acts on everything and takes no body: leave it out, or send {}.")
  throw faults.problem()
}

/** Reads a body of at most `bytesMax`, within 30 s. @throws requestTooLarge, requestTimeout, and what `receiving` throws */
export async function readBytes(asked: Asked, bytesMax: number, receiving?: Receiving): Promise<Uint8Array> {
  if (asked.readAtMost) return asked.readAtMost(bytesMax, bodyWaitMs, receiving)
  const reader = asked.body?.getReader()
  if (!reader) return new Uint8Array()
  let late = false
  const timer = setTimeout(() => {
    late = true
    reader.cancel().catch(() => undefined)
  }, bodyWaitMs)
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (late) throw requestTimeout()
      if (done) break
      length += value.byteLength
      if (length > bytesMax) {
        reader.cancel().catch(() => undefined)
        throw bodyTooLarge(bytesMax)
      }
      receiving?.grow(value.byteLength)
      chunks.push(value)
    }
  } finally {
    clearTimeout(timer)
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length)
}

// Bodies from Node's own events. What nobody wants any more is discarded as it arrives, so that the answer can be read and the
// connection used again; the web server limits for how long.

/** Of the large bodies of one owner, in this process: receiving more keeps the requests of others waiting. */
const paceOfLarge = createThroughput({ perSecond: 64 * 2 ** 20, burst: 32 * 2 ** 20 })

/**
 * The whole body. Those beyond 256 kB of one `owner` come no faster than 64 MB a second together.
 * @throws requestTooLarge beyond `bytesMax`, requestTimeout after `waitMs`, Error when the client disconnects, and what `receiving`
 * throws
 */
export function readIncoming(
  incoming: IncomingMessage,
  bytesMax: number,
  waitMs: number,
  receiving?: Receiving,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const body = collect(Number(incoming.headers["content-length"] ?? 0))
    let resuming: NodeJS.Timeout | undefined
    const refuse = (error: Error) => {
      end()
      reject(error)
    }
    const timer = setTimeout(() => refuse(requestTimeout()), waitMs)
    const onData = (chunk: Buffer) => {
      if (body.length() + chunk.length > bytesMax) return refuse(bodyTooLarge(bytesMax))
      try {
        receiving?.grow(chunk.length)
      } catch (error) {
        return refuse(error as Error)
      }
      body.add(chunk)
      if (!receiving || body.length() <= largeBytes) return
      const pauseMs = paceOfLarge(receiving.owner, chunk.length)
      if (pauseMs < 1) return
      incoming.pause()
      resuming = setTimeout(() => incoming.resume(), pauseMs)
    }
    const end = listen(incoming, {
      onData,
      onEnd() {
        end()
        resolve(body.bytes())
      },
      onLost: refuse,
      onStop() {
        clearTimeout(timer)
        clearTimeout(resuming)
      },
    })
  })
}

/** Chunks in one piece: copied as they come where their length is known, since megabytes at once keep everybody else waiting. */
function collect(announced: number) {
  const chunks: Buffer[] = []
  let whole: Buffer | undefined
  let length = 0
  return {
    length: () => length,
    add(chunk: Buffer) {
      if (chunk.length < announced) {
        whole ??= Buffer.allocUnsafeSlow(announced)
        chunk.copy(whole, length)
      } else chunks.push(chunk)
      length += chunk.length
    },
    bytes: () => whole?.subarray(0, length) ?? (chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)),
  }
}

/** The body as a stream that is read no faster than it is taken. It fails when the client disconnects. */
export function streamOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  let end = () => {}
  return new ReadableStream<Uint8Array>({
    start(controller) {
      end = listen(incoming, {
        onData(chunk) {
          controller.enqueue(chunk)
          if ((controller.desiredSize ?? 0) <= 0) incoming.pause()
        },
        onEnd() {
          end()
          controller.close()
        },
        onLost(error) {
          end()
          controller.error(error)
        },
      })
    },
    pull: () => void incoming.resume(),
    cancel: () => end(),
  })
}

type Listeners = { onData(chunk: Buffer): void; onEnd(): void; onLost(error: Error): void; onStop?(): void }

/** Calls the listeners until the returned function ends it. A request may be lost before anybody listens. */
function listen(incoming: IncomingMessage, { onData, onEnd, onLost, onStop }: Listeners): () => void {
  const onClose = () => onLost(new Error("The client disconnected."))
  incoming.on("data", onData).once("end", onEnd).once("error", onLost).once("close", onClose)
  if (incoming.destroyed) queueMicrotask(onClose)
  return () => {
    onStop?.()
    incoming.off("data", onData).off("end", onEnd).off("error", onLost).off("close", onClose).resume()
  }
}

/**
 * A body as text; null if there is more of it. Ends with `signal`: the `fetch` of Node 20 may forget its own once the header has
 * come, and then reads for as long as the other side sends.
 */
export async function readAtMost(
  body: ReadableStream<Uint8Array> | null,
  bytesMax: number,
  signal?: AbortSignal,
): Promise<string | null> {
  const reader = body?.getReader()
  const stop = () => void reader?.cancel().catch(() => undefined)
  signal?.addEventListener("abort", stop, { once: true })
  try {
    const chunks: Uint8Array[] = []
    let length = 0
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
      length += read.value.byteLength
      if (length > bytesMax) return null
      chunks.push(read.value)
    }
    signal?.throwIfAborted()
    return Buffer.concat(chunks).toString()
  } finally {
    signal?.removeEventListener("abort", stop)
    stop()
  }
}
