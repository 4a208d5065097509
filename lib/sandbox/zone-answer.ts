import { type Answer, AUTHORITATIVE_ANSWER, type DecodedPacket, type Packet } from "dns-packet"
import { txtStrings } from "@/lib/domains/records/zone-file"

/** All records at a name; empty when only names below it exist; null when there is no such name. */
export type ZoneLookup = (name: string) => Promise<ZoneRecord[] | null>

export type ZoneAuthority = { zones: string[]; lookup: ZoneLookup }

/** Octets of an answer that UDP carries without fragments, as EDNS offers it. */
export const udpMax = 1232

/** Seconds for which an answer may be kept. None: a record that has just been published must be seen. */
const ttl = 0

const aliasHopsMax = 8

const rcodes = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 }

/** The answer to one question, with authority over the zones and nothing else (RFC 1034 4.3.2, RFC 2308). */
export async function respond(query: DecodedPacket, { zones, lookup }: ZoneAuthority): Promise<Packet> {
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
