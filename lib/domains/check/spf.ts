import { BlockList, isIP } from "node:net"
import type { Dns } from "@/lib/platform/dns/types"
import { isSpf, readSpf, type SpfTerm } from "@/lib/domains/check/spf-terms"

export type SpfResult =
  | { result: "pass" | "fail" | "softfail" | "neutral" | "none" | "temperror" }
  | { result: "permerror"; reason: "lookups" | "voids" | "several-records" | "include-without-record" }
  /** The term that is not valid, and the name of the record that has it. */
  | { result: "permerror"; reason: "syntax"; term: string; at: string }

const lookupsMax = 10
const voidsMax = 2
const mxNamesMax = 10

/**
 * SPF for an address and a domain (check_host, RFC 7208 4), with its limits of 10 lookups and 2 of them without an
 * answer. Macros are not expanded: a term that has one never matches.
 */
export async function evaluateSpf(dns: Dns, domain: string, ip: string): Promise<SpfResult> {
  const spent = { lookups: 0, voids: 0 }
  try {
    return await check(domain)
  } catch (stop) {
    if (stop instanceof Stop) return stop.result
    throw stop
  }

  async function check(name: string): Promise<SpfResult> {
    const answer = await dns.txt(name)
    if (answer.kind === "error") return { result: "temperror" }
    const records = answer.kind === "found" ? answer.values.filter(isSpf) : []
    if (records.length > 1) return { result: "permerror", reason: "several-records" }
    if (records[0] === undefined) return { result: "none" }
    const record = readSpf(records[0])
    if ("invalid" in record) return { result: "permerror", reason: "syntax", term: record.invalid, at: name }
    for (const term of record.terms) {
      if (await matches(term, name)) return { result: verdicts[term.qualifier] }
    }
    if (record.redirect === undefined || record.redirect.includes("%")) return { result: "neutral" }
    spend()
    const redirected = await check(record.redirect)
    return redirected.result === "none" ? { result: "permerror", reason: "include-without-record" } : redirected
  }

  async function matches(term: SpfTerm, name: string): Promise<boolean> {
    if (term.name === "all") return true
    if (term.name === "ip4" || term.name === "ip6") return covers(term.target, term, ip)
    spend()
    const target = term.target || name
    if (target.includes("%") || term.name === "ptr") return false
    if (term.name === "include") return included(target)
    if (term.name === "mx") return mxMatches(target, term)
    const addresses = await addressesOf(target, true)
    return term.name === "exists" ? addresses.length > 0 : addresses.some((address) => covers(address, term, ip))
  }

  async function included(target: string): Promise<boolean> {
    const inner = await check(target)
    if (inner.result === "none") throw new Stop({ result: "permerror", reason: "include-without-record" })
    if (inner.result === "permerror" || inner.result === "temperror") throw new Stop(inner)
    return inner.result === "pass"
  }

  async function mxMatches(target: string, term: SpfTerm): Promise<boolean> {
    const answer = await dns.mx(target)
    if (answer.kind === "error") throw new Stop({ result: "temperror" })
    if (answer.kind === "missing") return missed()
    if (answer.values.length > mxNamesMax) throw new Stop({ result: "permerror", reason: "lookups" })
    for (const { exchange } of answer.values) {
      const addresses = await addressesOf(exchange, false)
      if (addresses.some((address) => covers(address, term, ip))) return true
    }
    return false
  }

  async function addressesOf(target: string, counted: boolean): Promise<string[]> {
    const answer = await dns.addresses(target)
    if (answer.kind === "error") throw new Stop({ result: "temperror" })
    if (answer.kind === "missing" && counted) missed()
    return answer.kind === "found" ? answer.values : []
  }

  function spend() {
    spent.lookups++
    if (spent.lookups > lookupsMax) throw new Stop({ result: "permerror", reason: "lookups" })
  }

  function missed(): false {
    spent.voids++
    if (spent.voids > voidsMax) throw new Stop({ result: "permerror", reason: "voids" })
    return false
  }
}

/** Ends the evaluation from any depth. */
class Stop extends Error {
  constructor(readonly result: SpfResult) {
    super(result.result)
  }
}

const verdicts = { "+": "pass", "-": "fail", "~": "softfail", "?": "neutral" } as const

function covers(network: string, term: SpfTerm, ip: string): boolean {
  const family = isIP(network)
  if (family === 0 || family !== isIP(ip)) return false
  const list = new BlockList()
  if (family === 4) list.addSubnet(network, term.prefix4, "ipv4")
  else list.addSubnet(network, term.prefix6, "ipv6")
  return list.check(ip, family === 4 ? "ipv4" : "ipv6")
}
