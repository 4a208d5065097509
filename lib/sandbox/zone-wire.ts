import type { Answer } from "dns-packet"
import { txtStrings } from "@/lib/domains/records/zone-file"

/** A record without its name: `value` is an address, a host name without the final dot, or the text of a TXT. */
export type ZoneRecord = {
  type: "A" | "AAAA" | "TXT" | "MX" | "CNAME" | "NS" | "SOA"
  value: string
  /** Of an MX. */
  priority?: number
}

export function toAnswers(name: string, records: ZoneRecord[], ttl: number): Answer[] {
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
