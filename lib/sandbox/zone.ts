import { registrationsUnder } from "@/lib/domains/data"
import { serviceKey, serviceKeyName, serviceKeyRecord } from "@/lib/domains/keys/data"
import {
  type ExpectedRecord,
  feedbackHost,
  type ServiceNames,
  spfHost,
  trackingTarget,
} from "@/lib/domains/records/records"
import { env } from "@/lib/platform/env/env"
import { log } from "@/lib/platform/log"
import { sandboxZones } from "@/lib/regions/io"
import { type Region, regionNames } from "@/lib/regions/regions"
import { regionSettings } from "@/lib/regions/settings"
import { createSocket, type Socket as UdpSocket } from "node:dgram"
import { createServer, type Socket } from "node:net"
import {
  decode,
  encode,
  streamEncode,
  TRUNCATED_RESPONSE,
  type DecodedPacket,
  type Packet,
  type Answer,
  AUTHORITATIVE_ANSWER,
} from "dns-packet"
import { txtStrings } from "@/lib/domains/records/zone-file"

/**
 * Runs the sandbox's name server on 127.0.0.1 until the signal aborts, and then resolves. Without a region in the sandbox there is nothing
 * to answer, and it does not listen.
 * @throws when the port is taken
 */
export async function startZone(signal: AbortSignal): Promise<void> {
  const settings = { ...env(), ...regionSettings() }
  const zones = sandboxZones(settings)
  if (zones.length === 0 || signal.aborted) return
  const sandboxed = regionNames.filter((region) => settings.profiles[region].transport === "sandbox")
  const lookup = zoneLookup({
    service: settings,
    regions: sandboxed,
    serviceKey: {
      name: serviceKeyName(settings.serviceDomain),
      record: async () => serviceKeyRecord((await serviceKey()).publicKey),
    },
    async registrations(domain) {
      try {
        return await registrationsUnder(domain, sandboxed, new Date())
      } catch (error) {
        log.warn({ err: error, domain }, "the sandbox zone could not read the registered domains")
        throw error
      }
    },
    now: () => new Date(),
  })
  const server = await createZoneServer({ port: settings.sandboxDnsPort, zones, lookup })
  log.info({ port: server.port, zones }, "the sandbox zone answers")
  await new Promise<void>((done) =>
    signal.aborted ? done() : signal.addEventListener("abort", () => done(), { once: true }),
  )
  await server.close()
}

// What it answers

/** A `.test` domain as the sandbox publishes it: as if its owner had pasted the records at once and correctly. */
export type SandboxRegistration = { registeredAt: Date; records: ExpectedRecord[] }

type ZoneContents = {
  service: ServiceNames
  regions: readonly Region[]
  /** Registrations in sandbox regions of this domain and of all names under it. */
  /** The name of the service domain's DKIM key, and its record. */
  serviceKey: { name: string; record(): Promise<string> }
  registrations(domain: string): Promise<SandboxRegistration[]>
  now(): Date
}

/** People and their providers take a while; the sandbox takes this long, so that the waiting can be seen. */
const publishAfterMs = 3000

/** What the sandbox's name server answers: the service's own names, and the registered domains under `.test`. */
export function zoneLookup(contents: ZoneContents): ZoneLookup {
  const fixed = serviceRecords(contents.service, contents.regions)
  const { serviceKey } = contents
  const consent = `._report._dmarc.${contents.service.reportDomain}`

  return async function lookup(name) {
    const own = fixed.get(name)
    if (own) return own
    if (name === serviceKey.name) return [{ type: "TXT", value: await serviceKey.record() }]
    // The wildcard by which receivers are allowed to report about any domain (RFC 9990 4).
    if (name.endsWith(consent)) return [{ type: "TXT", value: "v=DMARC1;" }]
    const published = await registered(name)
    const here = published.filter((record) => record.name === name)
    if (here.length > 0) return here.map(toZoneRecord)
    const below = `.${name}`
    const parent = [...fixed.keys(), serviceKey.name, ...published.map((record) => record.name)].some((known) =>
      known.endsWith(below),
    )
    return parent || consent.endsWith(below) ? [] : null
  }

  async function registered(name: string): Promise<ExpectedRecord[]> {
    const labels = name.split(".")
    if (labels.at(-1) !== "test" || labels.length < 2) return []
    const before = contents.now().getTime() - publishAfterMs
    const all = await contents.registrations(labels.slice(-2).join("."))
    return newestOfEach(all.filter((registration) => registration.registeredAt.getTime() <= before))
  }
}

/**
 * Several projects may register one domain. Names that can hold only one record, the policy, the logo and the tracking alias,
 * show what the newest of them asks for: its policy was made from the one that stood there before.
 */
function newestOfEach(registrations: SandboxRegistration[]): ExpectedRecord[] {
  const newestFirst = registrations.toSorted((a, b) => b.registeredAt.getTime() - a.registeredAt.getTime())
  const single = new Set<string>()
  return newestFirst
    .flatMap((registration) => registration.records)
    .filter((record) => {
      if (record.key !== "dmarc" && record.key !== "tracking" && record.key !== "bimi") return true
      if (single.has(record.name)) return false
      single.add(record.name)
      return true
    })
}

/** What an operator publishes for the service itself, with every server on this machine. */
function serviceRecords(service: ServiceNames, regions: readonly Region[]): Map<string, ZoneRecord[]> {
  const { serviceDomain, reportDomain } = service
  const here: ZoneRecord[] = [
    { type: "A", value: "127.0.0.1" },
    { type: "AAAA", value: "::1" },
  ]
  const spf: ZoneRecord = { type: "TXT", value: "v=spf1 ip4:127.0.0.1 ip6:::1 -all" }
  const [home = "us-east-1"] = regions
  const mailHost: ZoneRecord = { type: "MX", value: feedbackHost(home, service), priority: 10 }
  return new Map<string, ZoneRecord[]>([
    [serviceDomain, [...here, mailHost, spf]],
    [`_dmarc.${serviceDomain}`, [{ type: "TXT", value: "v=DMARC1; p=reject" }]],
    ...[serviceDomain, reportDomain, "test"].map((zone): [string, ZoneRecord[]] => [`ns.${zone}`, here]),
    [trackingTarget(service), here],
    [reportDomain, [mailHost]],
    // A null MX (RFC 7505): nothing outside may deliver to the simulator.
    [`simulator.${serviceDomain}`, [{ type: "MX", value: "", priority: 0 }]],
    ...regions.map((region): [string, ZoneRecord[]] => [feedbackHost(region, service), [...here, spf]]),
    ...regions.map((region): [string, ZoneRecord[]] => [spfHost(region, service), [spf]]),
  ])
}

function toZoneRecord({ type, value, priority }: ExpectedRecord): ZoneRecord {
  return priority === undefined ? { type, value } : { type, value, priority }
}

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

/** All records at a name; empty when only names below it exist; null when there is no such name. */
type ZoneLookup = (name: string) => Promise<ZoneRecord[] | null>

type ZoneAuthority = { zones: string[]; lookup: ZoneLookup }

/** Octets of an answer that UDP carries without fragments, as EDNS offers it. */
const udpMax = 1232

/** Seconds for which an answer may be kept. None: a record that has just been published must be seen. */
const ttl = 0

const aliasHopsMax = 8

const rcodes = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 }

/** The answer to one question, with authority over the zones and nothing else (RFC 1034 4.3.2, RFC 2308). */
async function respond(query: DecodedPacket, { zones, lookup }: ZoneAuthority): Promise<Packet> {
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
    // The lookup reports its own errors; a resolver needs only to hear that it failed.
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

/** A record without its name: `value` is an address, a host name without the final dot, or the text of a TXT. */
export type ZoneRecord = {
  type: "A" | "AAAA" | "TXT" | "MX" | "CNAME" | "NS" | "SOA"
  value: string
  /** Of an MX. */
  priority?: number
}

function toAnswers(name: string, records: ZoneRecord[], ttl: number): Answer[] {
  return records.map((record) => toAnswer(name, record, ttl))
}

function toAnswer(name: string, { type, value, priority }: ZoneRecord, ttl: number): Answer {
  if (type === "TXT") return { type, name, ttl, data: txtStrings(value) }
  if (type === "MX") return { type, name, ttl, data: { preference: priority ?? 0, exchange: value || "." } }
  if (type !== "SOA") return { type, name, ttl, data: value }
  // `minimum` is how long a resolver may remember that something is absent (RFC 2308 4).
  const soa = { mname: value, rname: `hostmaster.${name}`, serial: 1, refresh: 5, retry: 5, expire: 60, minimum: ttl }
  return { type, name, ttl, data: soa }
}
