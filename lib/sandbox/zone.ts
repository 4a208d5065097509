import { createSocket, type Socket as UdpSocket } from "node:dgram"
import { createServer, type Socket } from "node:net"
import { decode, encode, streamEncode, TRUNCATED_RESPONSE, type DecodedPacket, type Packet } from "dns-packet"
import { respond, udpMax, type ZoneAuthority } from "@/lib/sandbox/zone-answer"

export type ZoneServer = { port: number; close(): Promise<void> }

const udpPlainMax = 512
const tcpIdleMs = 5000
const tcpMessageMax = 4096

/**
 * A name server on 127.0.0.1, UDP and TCP, with authority over `zones` and nothing else (RFC 1035, RFC 2308).
 * @throws when the port is taken
 */
export async function createZoneServer(options: ZoneAuthority & { port: number }): Promise<ZoneServer> {
  const udp = createSocket("udp4")
  const sockets = new Set<Socket>()
  const tcp = createServer((socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
    serveTcp(socket, (query) => respond(query, options))
  })
  udp.on("message", (message, from) => {
    // A question so odd that its answer cannot be written gets none, as from any busy name server.
    udpReply(message, options)
      .then((reply) => reply && udp.send(reply, from.port, from.address, () => undefined))
      .catch(() => undefined)
  })
  const port = await bind(udp, tcp, options.port)
  // Once bound, a failed reply to a client that has left is no reason to stop.
  udp.on("error", () => undefined)

  return {
    port,
    async close() {
      for (const socket of sockets) socket.destroy()
      await Promise.all([new Promise<void>((done) => udp.close(done)), new Promise((done) => tcp.close(done))])
    },
  }
}

async function udpReply(message: Buffer, authority: ZoneAuthority): Promise<Buffer | null> {
  const query = parse(message)
  if (!query) return null
  const reply = await respond(query, authority)
  const bytes = encode(reply)
  const offered = query.additionals?.find((record) => record.type === "OPT")
  const max = offered?.type === "OPT" ? Math.min(udpMax, Math.max(udpPlainMax, offered.udpPayloadSize)) : udpPlainMax
  if (bytes.length <= max) return bytes
  return encode({ ...reply, flags: (reply.flags ?? 0) | TRUNCATED_RESPONSE, answers: [], authorities: [] })
}

function serveTcp(socket: Socket, answer: (query: DecodedPacket) => Promise<Packet>) {
  let pending = Buffer.alloc(0)
  socket.setTimeout(tcpIdleMs, () => socket.destroy())
  socket.on("error", () => socket.destroy())
  socket.on("data", (data) => {
    pending = Buffer.concat([pending, data])
    while (pending.length >= 2) {
      const length = pending.readUInt16BE(0)
      if (length > tcpMessageMax) return socket.destroy()
      if (pending.length < 2 + length) return
      const query = parse(pending.subarray(2, 2 + length))
      pending = pending.subarray(2 + length)
      if (!query) return socket.destroy()
      answer(query)
        .then((reply) => socket.writable && socket.write(streamEncode(reply)))
        .catch(() => socket.destroy())
    }
  })
}

function parse(message: Buffer): DecodedPacket | null {
  try {
    const packet = decode(message)
    return packet.type === "query" ? packet : null
  } catch {
    return null
  }
}

/** UDP and TCP have to share a port; with port 0 the system chooses for one and the other has to find it free. */
async function bind(udp: UdpSocket, tcp: ReturnType<typeof createServer>, port: number): Promise<number> {
  await new Promise<void>((done, fail) => {
    tcp.once("error", fail)
    tcp.listen(port, "127.0.0.1", done)
  })
  const address = tcp.address()
  const bound = typeof address === "object" && address !== null ? address.port : port
  await new Promise<void>((done, fail) => {
    udp.once("error", fail)
    udp.bind(bound, "127.0.0.1", done)
  }).catch((error: unknown) => {
    tcp.close()
    throw error
  })
  udp.removeAllListeners("error")
  return bound
}
