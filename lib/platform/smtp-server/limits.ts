import type { Socket } from "node:net"
import { addAbortSignal } from "node:stream"
import { networkOf } from "@/lib/platform/networks"
import type { SMTPServer, SMTPServerDataStream } from "smtp-server"

type ClientLimits = {
  /** Connections that one client address has open. */
  openMax: number
  /** New connections of one client address in a minute. */
  newPerMinuteMax: number
}

type Client = { open: number; began: number; since: number }

const minuteMs = 60_000

/** Counts connections by client address, that is by IPv4 address or IPv6 /64. */
export function createClients({ openMax, newPerMinuteMax }: ClientLimits, now = () => performance.now()) {
  const clients = new Map<string, Client>()
  let forgotAt = now()
  return { admit, leave }

  /** Whether one more connection may stay; then call `leave` at its end. */
  function admit(address: string): boolean {
    const network = networkOf(address)
    const client = clients.get(network) ?? { open: 0, began: 0, since: now() }
    if (now() - client.since >= minuteMs) Object.assign(client, { began: 0, since: now() })
    client.began += 1
    clients.set(network, client)
    if (client.open >= openMax || client.began > newPerMinuteMax) return false
    client.open += 1
    return true
  }

  function leave(address: string): void {
    const client = clients.get(networkOf(address))
    if (client) client.open -= 1
    if (now() - forgotAt >= minuteMs) forgetIdle()
  }

  function forgetIdle(): void {
    forgotAt = now()
    for (const [network, { open, since }] of clients) {
      if (open === 0 && now() - since >= minuteMs) clients.delete(network)
    }
  }
}

type Handshakes = { admit(address: string): boolean; leave(address: string): void; withinMs: number }

/**
 * Counts the connections of a server that begins with TLS by their addresses, and ends handshakes that take too long. The library calls
 * `onConnect` only after the handshake: until then silent connections of one address could take all places.
 */
export function limitHandshakes({ server, _pendingSockets }: SMTPServer, { admit, leave, withinMs }: Handshakes): void {
  const [begin] = server.listeners("connection") as [(socket: Socket) => void]
  server.removeListener("connection", begin)
  server.on("connection", (socket) => {
    const address = socket.remoteAddress ?? ""
    // It must not come to the library: Node crashes where TLS begins on a destroyed socket.
    if (!admit(address)) return void socket.destroy()
    // As long as the handshake lasts, this map leads from the socket to the TLS one.
    const late = setTimeout(() => _pendingSockets.get(socket)?.destroy(), withinMs)
    socket.once("close", () => {
      clearTimeout(late)
      leave(address)
    })
    begin(socket)
  })
}

type Place = { take(bytes: number): boolean; leave(): void }

/**
 * The message of a DATA command, unless there was no room or it took too long. Without room it is still read to its end, so that we
 * can respond, but not kept. The time is that of the message as a whole: who sends a little now and then would keep its room.
 * @throws when the connection ends before the message does
 */
export async function readAll(
  stream: SMTPServerDataStream,
  place: Place,
  withinMs: number,
): Promise<Buffer | "no_room" | "late"> {
  const late = AbortSignal.timeout(withinMs)
  const blocks = createBlocks()
  let fits = true
  try {
    for await (const chunk of addAbortSignal(late, stream) as AsyncIterable<Buffer>) {
      fits &&= !stream.sizeExceeded && place.take(chunk.length)
      if (fits) blocks.add(chunk)
      else {
        blocks.clear()
        place.leave()
      }
    }
  } catch (error) {
    if (late.aborted) return "late"
    throw error
  }
  return fits ? blocks.whole() : "no_room"
}

const blockBytes = 64 * 1024

/** Octets that may come a few at a time, as each line that begins with a dot does: kept one by one, they take forty times their size. */
function createBlocks() {
  let full: Buffer[] = []
  let last = Buffer.allocUnsafe(blockBytes)
  let used = 0
  return {
    add(chunk: Buffer) {
      for (let at = 0; at < chunk.length;) {
        const copied = chunk.copy(last, used, at)
        at += copied
        used += copied
        if (used < blockBytes) return
        full.push(last)
        last = Buffer.allocUnsafe(blockBytes)
        used = 0
      }
    },
    clear() {
      full = []
      used = 0
    },
    whole: () => Buffer.concat([...full, last.subarray(0, used)]),
  }
}
