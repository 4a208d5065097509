import { request as httpRequest, type ClientRequest, type IncomingMessage, type RequestOptions } from "node:http"
import { request as httpsRequest } from "node:https"
import { isIP, type LookupFunction } from "node:net"
import {
  addressFault,
  type OutboundGuard,
  type Target,
  dialable,
  TargetRefused,
  type Resolve,
} from "@/lib/platform/outbound/target"
import { timeLimit } from "@/lib/platform/time"

type Connection = {
  target: Target
  guard: OutboundGuard
  resolve: Resolve
  /** For everything: resolving, connecting, and the response's headers. */
  timeoutMs: number
  signal: AbortSignal
  /** Certificates to trust instead of the well-known ones, PEM. */
  ca?: string | Buffer | undefined
}

export type Post = Connection & { headers: Record<string, string>; body: string | Buffer }

/** `snippet` is how the response begins; `retryAfter` is its header. */
export type Response = { status: number; retryAfter: string | undefined; snippet: Buffer }

const bodyBytesMax = 16 * 1024
/** Once the status is known, the rest of a slow response is not worth a slot. */
const bodyMs = 2_000
const headerBytesMax = 16 * 1024

/**
 * Sends one POST request over a connection of its own: to the addresses that were judged for this very connection, without a
 * proxy, without following redirects. @throws TargetRefused, or the error of the connection
 */
export async function post(given: Post): Promise<Response> {
  const length = { "content-length": String(Buffer.byteLength(given.body)) }
  const { request, signal } = await open(given, { method: "POST", headers: { ...given.headers, ...length } })
  request.end(given.body)
  const response = await answered(request, signal)
  const snippet = await beginning(response)
  request.destroy()
  return { status: response.statusCode ?? 0, retryAfter: response.headers["retry-after"], snippet }
}

/** The same with GET and without a body. */
export async function get(
  given: Connection & { headers: Record<string, string> },
): Promise<Omit<Response, "retryAfter">> {
  const { request, signal } = await open(given, { method: "GET", headers: given.headers })
  request.end()
  const response = await answered(request, signal)
  const snippet = await beginning(response)
  request.destroy()
  return { status: response.statusCode ?? 0, snippet }
}

/** The same without a body; of the response only what a link check needs. */
export async function probe(
  given: Connection & { method: "HEAD" | "GET"; headers: Record<string, string> },
): Promise<{ status: number; location: string | undefined }> {
  const { request, signal } = await open(given, { method: given.method, headers: given.headers })
  request.end()
  const response = await answered(request, signal)
  request.destroy()
  return { status: response.statusCode ?? 0, location: response.headers.location }
}

/** A GET request for a file; `body` is null where it is larger than `bytesMax`. The signal ends the body as well. */
export async function download(
  given: Connection & { headers: Record<string, string>; bytesMax: number },
): Promise<{ status: number; contentType: string | undefined; body: Buffer | null }> {
  const { request, signal } = await open(given, { method: "GET", headers: given.headers })
  request.end()
  const response = await answered(request, signal)
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > given.bytesMax) break
      chunks.push(chunk)
    }
  } finally {
    request.destroy()
  }
  // A body that was cut off ends like one that is whole, where the server announced no length.
  signal.throwIfAborted()
  return {
    status: response.statusCode ?? 0,
    contentType: response.headers["content-type"],
    body: bytes > given.bytesMax ? null : Buffer.concat(chunks),
  }
}

async function open(
  given: Connection,
  head: { method: string; headers: Record<string, string> },
): Promise<{ request: ClientRequest; signal: AbortSignal }> {
  const { target, guard } = given
  const { signal, release } = timeLimit(given.signal, given.timeoutMs)
  const addresses = await unless(signal, dialable(target, guard, given.resolve)).catch((error: unknown) => {
    release()
    throw error
  })
  const { url } = target
  const options: RequestOptions = {
    ...head,
    // Never a pooled connection: it would have been judged for an earlier request.
    agent: false,
    lookup: lookupOf(addresses),
    maxHeaderSize: headerBytesMax,
    signal,
    ...(given.ca ? { ca: given.ca } : {}),
  }
  const request = url.protocol === "https:" ? httpsRequest(url, options) : httpRequest(url, options)
  request.once("close", release)
  // Node dials an address in the URL without asking `lookup`: what is really connected has the last word.
  request.on("socket", (socket) =>
    socket.once("connect", () => {
      const address = socket.remoteAddress ?? ""
      const why = addressFault(guard, address, url.protocol)
      if (why) socket.destroy(new TargetRefused({ code: "leads_to", facts: { address, why } }))
    }),
  )
  return { request, signal }
}

/** Answers the judged addresses, whatever is asked. */
function lookupOf(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_name, options, callback) => {
    const [first] = found
    if (options.all) callback(null, found)
    else callback(null, first?.address ?? "", first?.family)
  }
}

/**
 * The response, or the error. A connection can also end without either: Node drops one that was upgraded without being
 * asked (101) and says nothing more. Hence every way in which a request ends settles this, the time limit included.
 */
function answered(request: ClientRequest, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      reject(error)
      request.destroy()
    }
    request.once("response", (response) => {
      if ((response.statusCode ?? 0) < 200) fail(unexpected(response))
      else resolve(response)
    })
    // This listener stays, because nothing else handles an error after the response.
    request.on("error", reject)
    request.once("upgrade", (response, socket) => {
      socket.on("error", () => undefined).destroy()
      fail(unexpected(response))
    })
    request.once("close", () => reject(new Error("The connection was closed before a response came")))
    if (signal.aborted) fail(signal.reason as Error)
    else signal.addEventListener("abort", () => fail(signal.reason as Error), { once: true })
  })
}

function unexpected({ statusCode = 101 }: IncomingMessage): Error {
  return new Error(`The server answered ${statusCode}, a change of protocol that was not asked for`)
}

/** What arrives of a response in a short while; how it ends does not matter. */
function beginning(response: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const done = () => {
      clearTimeout(timer)
      resolve(Buffer.concat(chunks).subarray(0, bodyBytesMax))
    }
    const timer = setTimeout(done, bodyMs)
    response.on("data", (chunk: Buffer) => {
      if (bytes < bodyBytesMax) chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= bodyBytesMax) done()
    })
    response.once("end", done).once("error", done).once("close", done)
  })
}

/** Work that cannot be stopped is left to itself once the signal aborts. */
async function unless<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error)
    signal.addEventListener("abort", stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop))
  })
}
