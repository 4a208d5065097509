import { randomInt } from "node:crypto"
import { createSocket } from "node:dgram"
import { connect, isIPv6 } from "node:net"
import {
  type Answer,
  AUTHENTIC_DATA,
  type DecodedPacket,
  decode,
  encode,
  type Packet,
  RECURSION_DESIRED,
  streamEncode,
  type RecordType,
} from "dns-packet"
import type { DnsErrorReason, DnsHost, DnsMx } from "@/lib/platform/dns/dns"

/** A TLSA record (RFC 6698). */
export type Tlsa = { usage: number; selector: number; matchingType: number; certificate: Buffer }

/**
 * What a resolver says, with how long it may be kept and whether DNSSEC secures it. `name` is where the records are, after all
 * aliases.
 */
export type StubOutcome<T> =
  | { kind: "found"; values: T[]; name: string; ttlSeconds: number; secure: boolean }
  | { kind: "missing"; reason: "no-name" | "no-data"; ttlSeconds: number; secure: boolean }
  | { kind: "error"; reason: DnsErrorReason }

type Values = { MX: DnsMx; A: string; AAAA: string; PTR: string; TXT: string; TLSA: Tlsa }

export type Stub = {
  /** Aliases are followed. Never throws, and ends within seconds. */
  ask<K extends keyof Values>(kind: K, name: string): Promise<StubOutcome<Values[K]>>
  /** For how long questions have had no answer at all; 0 after an answer. */
  silentMs(): number
  /** The resolvers, as `ip:port`. */
  servers: readonly string[]
}

export type StubOptions = {
  resolvers: readonly DnsHost[]
  /** Believe what a resolver says of DNSSEC (the AD bit): only if nobody can change its answers on their way to us. */
  trusted: boolean
  /** For one question to one server. */
  timeoutMs?: number
  /** For one question to all of them, aliases included. */
  totalMs?: number
}

const aliasHopsMax = 8
const roundsMax = 2

/**
 * Questions to validating resolvers: unlike node:dns it reads TTLs, the AD bit and TLSA records. Each question has a socket with a
 * random port and a random id of its own, and an answer to another question is ignored (RFC 5452).
 */
export function createStub({ resolvers, trusted, timeoutMs = 2_000, totalMs = 8_000 }: StubOptions): Stub {
  let silentSince: number | undefined

  async function ask<K extends keyof Values>(kind: K, given: string): Promise<StubOutcome<Values[K]>> {
    const deadline = performance.now() + totalMs
    let name = plain(given)
    // dns-packet writes a label that is too long as one that begins elsewhere.
    if (!isName(name)) return { kind: "error", reason: "malformed" }
    let secure = trusted
    let ttlSeconds = Infinity
    for (let hop = 0; hop <= aliasHopsMax; hop++) {
      const reply = await askAll(kind, name, deadline)
      if (typeof reply === "string") return { kind: "error", reason: reply }
      const read = readReply(reply, kind, name)
      secure &&= reply.flag_ad === true
      ttlSeconds = Math.min(ttlSeconds, read.ttlSeconds)
      if (read.kind === "error") return { kind: "error", reason: read.reason }
      if (read.kind !== "alias") return { ...read, ttlSeconds, secure }
      // A server that does not follow an alias into another zone leaves that to us.
      name = read.name
      if (!isName(name)) return { kind: "error", reason: "malformed" }
    }
    return { kind: "error", reason: "alias-loop" }
  }

  async function askAll(kind: RecordType, name: string, deadline: number): Promise<DecodedPacket | DnsErrorReason> {
    let reason: DnsErrorReason = "unreachable"
    for (let round = 0; round < roundsMax; round++) {
      for (const server of resolvers) {
        const allowedMs = Math.min(timeoutMs, deadline - performance.now())
        if (allowedMs <= 0) break
        const reply = await askOne(server, kind, name, allowedMs)
        if (typeof reply !== "string") {
          silentSince = undefined
          const code = rcodeOf(reply)
          if (code === rcodes.noError || code === rcodes.noName) return reply
          reason = code === rcodes.refused ? "refused" : "server-failure"
        } else {
          reason = reply
          if (reply === "malformed") return reply
        }
      }
    }
    if (reason === "timeout" || reason === "unreachable") silentSince ??= performance.now()
    return reason
  }

  return {
    ask,
    silentMs: () => (silentSince === undefined ? 0 : performance.now() - silentSince),
    servers: resolvers.map(({ host, port }) => (isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`)),
  }
}

type Read<T> =
  | { kind: "found"; values: T[]; name: string; ttlSeconds: number }
  | { kind: "missing"; reason: "no-name" | "no-data"; ttlSeconds: number }
  | { kind: "alias"; name: string; ttlSeconds: number }
  | { kind: "error"; reason: DnsErrorReason; ttlSeconds: number }

/** Follows the aliases that an answer contains, from the name that was asked for; records of other names are ignored. */
function readReply<K extends keyof Values>(reply: DecodedPacket, kind: K, asked: string): Read<Values[K]> {
  const answers = reply.answers ?? []
  let name = asked
  let ttlSeconds = Infinity
  const seen = new Set<string>()
  for (;;) {
    const here = answers.filter((answer) => plain(answer.name) === name)
    const records = here.filter(({ type }) => type === kind)
    if (records.length > 0) {
      const ttls = records.map((record) => ttlOf(record))
      const values = records.map((record) => valueOf(kind, record))
      return { kind: "found", values, name, ttlSeconds: Math.min(ttlSeconds, ...ttls) }
    }
    const alias = here.find((answer) => answer.type === "CNAME")
    if (!alias) break
    if (seen.has(name)) return { kind: "error", reason: "alias-loop", ttlSeconds }
    seen.add(name)
    ttlSeconds = Math.min(ttlSeconds, ttlOf(alias))
    name = plain(String((alias as { data: unknown }).data))
  }
  const ttl = Math.min(ttlSeconds, negativeTtl(reply))
  if (rcodeOf(reply) === rcodes.noName) return { kind: "missing", reason: "no-name", ttlSeconds: ttl }
  if (name !== asked && !endsHere(reply)) return { kind: "alias", name, ttlSeconds }
  return { kind: "missing", reason: "no-data", ttlSeconds: ttl }
}

/** RFC 1035 section 4.1.1. */
const rcodes = { noError: 0, noName: 3, refused: 5 }

function rcodeOf({ flags = 0 }: DecodedPacket): number {
  return flags & 0xf
}

/** Whether the server itself says that there is no more (RFC 2308): it then names the zone that says so. */
function endsHere({ authorities = [] }: DecodedPacket): boolean {
  return authorities.some(({ type }) => type === "SOA")
}

/** RFC 2308 section 5. */
function negativeTtl({ authorities = [] }: DecodedPacket): number {
  const soa = authorities.find((one) => one.type === "SOA")
  return soa?.type === "SOA" ? Math.min(soa.ttl ?? 0, soa.data.minimum ?? 0) : 0
}

function ttlOf(answer: Answer): number {
  return "ttl" in answer && typeof answer.ttl === "number" ? answer.ttl : 0
}

const readers: { [K in keyof Values]: (data: unknown) => Values[K] } = {
  MX: (data) => {
    const { exchange, preference } = data as { exchange: string; preference?: number }
    return { exchange: plain(exchange), priority: preference ?? 0 }
  },
  A: String,
  AAAA: String,
  PTR: (data) => plain(String(data)),
  TXT: (data) => [data].flat().map(String).join(""),
  TLSA: (data) => data as Tlsa,
}

/** The type of a record says what its data is; the decoder of dns-packet has read it as that. */
function valueOf<K extends keyof Values>(kind: K, answer: Answer): Values[K] {
  return readers[kind]((answer as { data: unknown }).data)
}

/** Never throws. */
async function askOne(
  server: DnsHost,
  type: RecordType,
  name: string,
  timeoutMs: number,
): Promise<DecodedPacket | DnsErrorReason> {
  const question = { type, name, class: "IN" as const }
  const query: Packet = {
    type: "query",
    id: randomInt(0x10000),
    flags: RECURSION_DESIRED | AUTHENTIC_DATA,
    questions: [question],
    additionals: [{ type: "OPT", name: ".", udpPayloadSize: 1232, flags: 0, options: [] } as never],
  }
  const end = performance.now() + timeoutMs
  const reply = await askUdp(server, query, timeoutMs)
  if (typeof reply === "string" || !reply.flag_tc) return reply
  return askTcp(server, query, Math.max(1, end - performance.now()))
}

function askUdp(server: DnsHost, query: Packet, timeoutMs: number): Promise<DecodedPacket | DnsErrorReason> {
  const bytes = encode(query)
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(server.host) ? "udp6" : "udp4")
    const finish = (result: DecodedPacket | DnsErrorReason) => {
      clearTimeout(timer)
      socket.removeAllListeners().on("error", () => {})
      socket.close()
      resolve(result)
    }
    const timer = setTimeout(() => finish("timeout"), timeoutMs)
    socket.on("error", () => finish("unreachable"))
    socket.on("message", (message) => {
      const reply = replyTo(query, message)
      if (reply) finish(reply)
    })
    // A connected socket takes datagrams from this server alone, and learns that nobody listens there.
    socket.connect(server.port, server.host, () => socket.send(bytes))
  })
}

const lengthBytes = 2

function askTcp(server: DnsHost, query: Packet, timeoutMs: number): Promise<DecodedPacket | DnsErrorReason> {
  const bytes = streamEncode(query)
  return new Promise((resolve) => {
    let received = Buffer.alloc(0)
    const socket = connect({ host: server.host, port: server.port })
    const finish = (result: DecodedPacket | DnsErrorReason) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(result)
    }
    const timer = setTimeout(() => finish("timeout"), timeoutMs)
    socket.on("error", () => finish("unreachable")).on("close", () => finish("unreachable"))
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk])
      const length = received.length < lengthBytes ? Infinity : received.readUInt16BE(0)
      if (received.length < lengthBytes + length) return
      finish(replyTo(query, received.subarray(lengthBytes, lengthBytes + length)) ?? "malformed")
    })
    socket.write(bytes)
  })
}

/** The packet, if it is the answer to this question; undefined for anything else that arrives. */
function replyTo(query: Packet, bytes: Buffer): DecodedPacket | undefined {
  try {
    const reply = decode(bytes)
    const [asked] = query.questions ?? []
    const [answered, ...others] = reply.questions ?? []
    const isAnswer = reply.type === "response" && reply.id === query.id && others.length === 0
    const isSame = answered?.type === asked?.type && plain(answered?.name ?? "") === plain(asked?.name ?? "")
    return isAnswer && isSame ? reply : undefined
  } catch {
    return undefined
  }
}

function isName(name: string): boolean {
  return name.length <= 253 && name.split(".").every((label) => /^[!-~]{1,63}$/.test(label))
}

/** In lower case and without the final dot; the root is "". */
function plain(name: string): string {
  return name.toLowerCase().replace(/\.$/, "")
}
