import { connect, type Socket } from "node:net"
import { setTimeout as wait } from "node:timers/promises"

/** The next request of one connection, ready for the wire: the whole of it, head and body. */
export type Ask = () => string

export type Load = {
  perSecond: number
  p50Ms: number
  p99Ms: number
}

/**
 * Keeps `connections` connections busy for `ms`, one request after the other on each. It shares the machine with what
 * it measures, so it does as little as HTTP allows: sockets kept open, requests written whole, and of the answer only
 * the status and the end of the response are read.
 * @throws Error for any answer that is not 2xx: a figure with refusals in it would be none
 */
export async function loadFor(
  port: number,
  newAsk: () => Ask,
  { connections, ms }: { connections: number; ms: number },
): Promise<Load> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => opened(port)))
  const asks = sockets.map(newAsk)
  try {
    return await callFor({ connections, ms }, (at) => exchange(sockets[at] as Socket, (asks[at] as Ask)()))
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

/** Keeps this number of callers busy for `ms`, each with one call after the other. */
export async function callFor(
  { connections, ms }: { connections: number; ms: number },
  call: (caller: number) => Promise<unknown>,
): Promise<Load> {
  const took: number[] = []
  const startedAt = performance.now()
  const keepBusy = async (caller: number) => {
    for (let now = performance.now(); now < startedAt + ms;) {
      const begun = now
      await call(caller)
      now = performance.now()
      took.push(now - begun)
    }
  }
  await Promise.all(Array.from({ length: connections }, (_, caller) => keepBusy(caller)))
  const seconds = (performance.now() - startedAt) / 1_000
  took.sort((a, b) => a - b)
  return { perSecond: took.length / seconds, p50Ms: quantile(took, 0.5), p99Ms: quantile(took, 0.99) }
}

/**
 * Sends requests at an even pace, as far as the connections allow. Times count from when a request was due, so that one that
 * waits behind a slow one counts as slow.
 */
export async function loadAt(
  port: number,
  newAsk: () => Ask,
  { connections, perSecond, ms }: { connections: number; perSecond: number; ms: number },
  answered: (tookMs: number) => void,
): Promise<void> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => opened(port)))
  const startedAt = performance.now()
  const requests = Math.floor((perSecond * ms) / 1_000)
  let next = 0
  try {
    await Promise.all(
      sockets.map(async (socket) => {
        const ask = newAsk()
        for (let at = next++; at < requests; at = next++) {
          const dueAt = startedAt + (at * 1_000) / perSecond
          if (dueAt > performance.now()) await wait(dueAt - performance.now())
          await exchange(socket, ask())
          answered(performance.now() - dueAt)
        }
      }),
    )
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

/** One request on a connection of its own; the JSON of its answer. */
export async function askOnce(port: number, request: string): Promise<unknown> {
  const socket = await opened(port)
  try {
    return JSON.parse(bodyOf(await exchange(socket, request)))
  } finally {
    socket.destroy()
  }
}

/** The bytes of a request with a JSON body, or without one. */
export function requestOf(method: string, path: string, { key, body }: { key?: string; body?: string }): string {
  const head = [`${method} ${path} HTTP/1.1`, "Host: localhost", ...(key ? [`Authorization: Bearer ${key}`] : [])]
  if (body !== undefined) head.push("Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`)
  return `${head.join("\r\n")}\r\n\r\n${body ?? ""}`
}

/** The quantile `of` of a sorted list. */
export function quantile(sorted: ArrayLike<number>, of: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * of))] ?? Number.NaN
}

async function opened(port: number): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true })
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve)
    socket.once("error", reject)
  })
  return socket
}

/** Writes a request and answers the whole response as text, once it is complete. */
function exchange(socket: Socket, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ""
    const settle = (error?: Error) => {
      socket.off("data", onData).off("error", settle).off("close", closed)
      if (error) reject(error)
      else if (text[9] === "2") resolve(text)
      else reject(new Error(`A request of the load was refused:\n${text.slice(0, 1_000)}`))
    }
    const onData = (chunk: Buffer) => {
      text += chunk.toString("latin1")
      if (isComplete(text)) settle()
    }
    const closed = () => settle(new Error("The server closed a connection of the load."))
    socket.on("data", onData).on("error", settle).on("close", closed)
    socket.write(request)
  })
}

/** Whether a response (one byte a character) has come to its end: by its length, or by the last chunk (RFC 9112, 6 and 7). */
function isComplete(text: string): boolean {
  const head = text.indexOf("\r\n\r\n")
  if (head < 0) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))
  if (length) return text.length >= head + 4 + Number(length[1])
  return text.endsWith("\r\n0\r\n\r\n") || text.startsWith("HTTP/1.1 204")
}

function bodyOf(text: string): string {
  const body = text.slice(text.indexOf("\r\n\r\n") + 4)
  if (!/\r\ntransfer-encoding: chunked/i.test(text)) return body
  return body.replaceAll(/(?:^|\r\n)[0-9a-f]+\r\n/gi, "").replace(/\r\n$/, "")
}
