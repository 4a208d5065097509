import { createSocket, type Socket as UdpSocket } from "node:dgram"
import { createServer, type Socket } from "node:net"
import {
  AUTHORITATIVE_ANSWER,
  decode,
  encode,
  streamEncode,
  TRUNCATED_RESPONSE,
  type Answer,
  type DecodedPacket,
  type Packet,
} from "dns-packet"
import { toAnswers, type ZoneRecord } from "./zone-wire"

export type { ZoneRecord } from "./zone-wire"

/** Everything that stands at a name; empty when only names below it exist; null when there is no such name. */
export type ZoneLookup = (name: string) => Promise<ZoneRecord[] | null>

export type ZoneServer = { port: number; close(): Promise<void> }

/** Seconds for which an answer may be kept. None: a record that has just been published must be seen. */
const ttl = 0

const udpPlainMax = 512
const udpMax = 1232
const tcpIdleMs = 5000
const tcpMessageMax = 4096
const aliasHopsMax = 8

const rcodes = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 }

/**
 * A name server on 127.0.0.1, UDP and TCP, with authority over `zones` and nothing else (RFC 1035, RFC 2308).
 * @throws when the port is taken
 */
export async function createZoneServer(options: {
  port: number
  zones: string[]
  lookup: ZoneLookup
}): Promise<ZoneServer> {
  const udp = createSocket("udp4")
  const sockets = new Set<Socket>()
  const tcp = createServer((socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
    serveTcp(socket, (query) => respond(query, options))
  })
  udp.on("message", (message, from) => {
    // A question so odd that its answer cannot be written gets none, as from any busy name server.
    udpReply(message, options).then(
      (reply) => reply && udp.send(reply, from.port, from.address, () => undefined),
      () => undefined,
    )
  })
  const port = await bind(udp, tcp, options.port)
  // Once bound, a failed send to a client that is gone is no reason to stop.
  udp.on("error", () => undefined)

  return {
    port,
    async close() {
      for (const socket of sockets) socket.destroy()
      await Promise.all([new Promise<void>((done) => udp.close(done)), new Promise((done) => tcp.close(done))])
    },
  }
}

async function udpReply(message: Buffer, options: Options): Promise<Buffer | null> {
  const query = parse(message)
  if (!query) return null
  const reply = await respond(query, options)
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

type Options = { zones: string[]; lookup: ZoneLookup }

async function respond(query: DecodedPacket, { zones, lookup }: Options): Promise<Packet> {
  const edns = query.additionals?.some((record) => record.type === "OPT")
  const reply = {
    type: "response" as const,
    id: query.id,
    questions: query.questions,
    additionals: edns ? [opt] : [],
  }
  const [question] = query.questions ?? []
  if (opcode(query) !== 0) return { ...reply, flags: rcodes.NOTIMP }
  if (!question || query.questions?.length !== 1) return { ...reply, flags: rcodes.FORMERR }
  const name = question.name.toLowerCase()
  const zone = zoneOf(name, zones)
  if (zone === undefined) return { ...reply, flags: rcodes.REFUSED }
  try {
    const { answers, exists } = await resolve(name, question.type, zones, lookup)
    const flags = AUTHORITATIVE_ANSWER | (exists ? rcodes.NOERROR : rcodes.NXDOMAIN)
    const conclusive = answers.some((answer) => answer.type === question.type || isAny(question.type))
    return { ...reply, flags, answers, authorities: conclusive ? [] : [startOfAuthority(zone)] }
  } catch {
    // What the look-up throws is its own to report; a resolver needs only to hear that it failed.
    return { ...reply, flags: rcodes.SERVFAIL }
  }
}

/** Follows aliases as long as they stay inside the zones (RFC 1034 4.3.2). */
async function resolve(start: string, type: string, zones: string[], lookup: ZoneLookup) {
  const answers: Answer[] = []
  let name = start
  for (let hop = 0; hop <= aliasHopsMax; hop++) {
    const records = isApex(name, zones) ? [...((await lookup(name)) ?? []), ...apex(name)] : await lookup(name)
    if (records === null) return { answers, exists: false }
    const alias = records.find((record) => record.type === "CNAME")
    const wanted = records.filter((record) => isAny(type) || record.type === type)
    answers.push(...toAnswers(name, wanted.length > 0 || !alias ? wanted : [alias], ttl))
    if (wanted.length > 0 || !alias || zoneOf(alias.value, zones) === undefined) break
    name = alias.value
  }
  return { answers, exists: true }
}

/** Four bits of the header's flags (RFC 1035 4.1.1); 0 is a standard query. */
function opcode(query: DecodedPacket): number {
  return ((query.flags ?? 0) >> 11) & 0xf
}

/** The type `*` of a question, which the types of the library leave out. */
function isAny(type: string): boolean {
  return type === "ANY"
}

function isApex(name: string, zones: string[]): boolean {
  return zones.includes(name)
}

function apex(zone: string): ZoneRecord[] {
  return [
    { type: "NS", value: `ns.${zone}` },
    { type: "SOA", value: `ns.${zone}` },
  ]
}

function startOfAuthority(zone: string): Answer {
  const [answer] = toAnswers(zone, [{ type: "SOA", value: `ns.${zone}` }], ttl)
  if (!answer) throw new Error("a zone has a start of authority")
  return answer
}

function zoneOf(name: string, zones: string[]): string | undefined {
  const holding = zones.filter((zone) => name === zone || name.endsWith(`.${zone}`))
  return holding.toSorted((a, b) => b.length - a.length)[0]
}

function parse(message: Buffer): DecodedPacket | null {
  try {
    const packet = decode(message)
    return packet.type === "query" ? packet : null
  } catch {
    return null
  }
}

const opt: Answer = {
  type: "OPT",
  name: ".",
  udpPayloadSize: udpMax,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
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
