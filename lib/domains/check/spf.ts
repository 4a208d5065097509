import { BlockList, isIP, isIPv4, isIPv6 } from "node:net"
import type { Dns } from "@/lib/platform/dns/dns"

// Evaluation

export type SpfResult =
  | { result: "pass" | "fail" | "softfail" | "neutral" | "none" | "temperror" }
  | { result: "permerror"; reason: "lookups" | "voids" | "several-records" | "include-without-record" }
  /** The term that is not valid, and the name of the record that has it. */
  | { result: "permerror"; reason: "syntax"; term: string; at: string }

const lookupsMax = 10
const voidsMax = 2
const mxNamesMax = 10
/** Of one name: nobody sends from more, and an answer holds thousands. */
const addressesMax = 100

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
    return answer.kind === "found" ? answer.values.slice(0, addressesMax) : []
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

// The grammar

/** A term of an SPF record (RFC 7208 4.6.1), lower case but for the target. */
type SpfTerm = {
  qualifier: "+" | "-" | "~" | "?"
  name: "all" | "include" | "a" | "mx" | "ptr" | "ip4" | "ip6" | "exists"
  target: string
  prefix4: number
  prefix6: number
}

export type SpfRecord = { terms: SpfTerm[]; redirect?: string }

/** The record by the grammar of RFC 7208 12, or the first term that breaks it: receivers answer permerror then. */
export function readSpf(text: string): SpfRecord | { invalid: string } {
  const [version = "", ...words] = text.split(/ +/).filter((word, at) => at === 0 || word !== "")
  if (version.toLowerCase() !== "v=spf1") return { invalid: version }
  const record: SpfRecord = { terms: [] }
  const once = new Set<string>()
  for (const word of words) {
    const [, written = "", value = ""] = /^([a-z][a-z0-9._-]*)=(.*)$/is.exec(word) ?? []
    const modifier = written.toLowerCase()
    if (modifier === "redirect" || modifier === "exp") {
      if (once.has(modifier) || !isDomainSpec(value)) return { invalid: word }
      once.add(modifier)
      if (modifier === "redirect") record.redirect = value
    } else if (modifier) {
      if (!isMacroString(value)) return { invalid: word }
    } else {
      const term = parseTerm(word)
      if (!term) return { invalid: word }
      record.terms.push(term)
    }
  }
  return record
}

/** Null when the record breaks the grammar. */
export function parseSpf(text: string): SpfRecord | null {
  const read = readSpf(text)
  return "invalid" in read ? null : read
}

export function isSpf(text: string): boolean {
  return /^v=spf1( |$)/i.test(text)
}

function parseTerm(word: string): SpfTerm | null {
  const [, sign = "+", rawName = "", rest = ""] = /^([-+~?])?([a-z0-9]+)(.*)$/is.exec(word) ?? []
  const name = names.find((known) => known === rawName.toLowerCase())
  if (!name) return null
  const term = { qualifier: sign as SpfTerm["qualifier"], name, target: "", prefix4: 32, prefix6: 128 }
  if (name === "all") return rest === "" ? term : null
  if (name === "ip4" || name === "ip6") return networkTerm(term, rest)
  const sized = name === "a" || name === "mx"
  const [, head = "", slash4, slash6] = sized ? (/^(.*?)(?:\/(\d+))?(?:\/\/(\d+))?$/s.exec(rest) ?? []) : [rest, rest]
  const [prefix4, prefix6] = [prefixOf(slash4, 32), prefixOf(slash6, 128)]
  if (prefix4 === null || prefix6 === null) return null
  // `a`, `mx` and `ptr` mean the domain itself where none is named.
  if (head === "") return sized || name === "ptr" ? { ...term, prefix4, prefix6 } : null
  const target = head.slice(1)
  return head.startsWith(":") && isDomainSpec(target) ? { ...term, target, prefix4, prefix6 } : null
}

function networkTerm(term: SpfTerm, rest: string): SpfTerm | null {
  const [, target = "", slash] = /^:([0-9a-f.:]+)(?:\/(\d+))?$/i.exec(rest) ?? []
  const four = term.name === "ip4"
  const prefix = prefixOf(slash, four ? 32 : 128)
  if (prefix === null || !(four ? isIPv4(target) : isIPv6(target))) return null
  return four ? { ...term, target, prefix4: prefix } : { ...term, target, prefix6: prefix }
}

/** Without leading zeros; the whole address where there is none. */
function prefixOf(digits: string | undefined, max: number): number | null {
  if (digits === undefined) return max
  return /^(0|[1-9]\d{0,2})$/.test(digits) && Number(digits) <= max ? Number(digits) : null
}

const names = ["all", "include", "a", "mx", "ptr", "ip4", "ip6", "exists"] as const

/** `%{…}` with a number that is not zero (RFC 7208 7.1, 7.3). */
const expansion = (letters: string) => String.raw`%\{[${letters}](?:0*[1-9]\d*)?r?[-.+,/_=]*\}`

const literal = String.raw`[\x21-\x24\x26-\x7e]`

/** `c`, `r` and `t` mean something in the text of an explanation alone (RFC 7208 7.2). */
const macros = expansion("slodiphv")

const macroString = new RegExp(`^(?:${literal}|${expansion("slodiphvcrt")}|%[%_-])*$`, "i")

const specBody = String.raw`(?:${literal}|${macros}|%[%_-])*`

/** The last label of a name has a letter, or a hyphen inside: an address is none. */
const topLabel = String.raw`(?:[a-z0-9]*[a-z][a-z0-9]*|[a-z0-9]+-[a-z0-9-]*[a-z0-9])`

const domainSpec = new RegExp(String.raw`^${specBody}(?:\.${topLabel}\.?|${macros})$`, "i")

function isMacroString(text: string): boolean {
  return macroString.test(text)
}

/** Long names break every implementation, and regular expressions that backtrack. */
function isDomainSpec(text: string): boolean {
  return text.length <= 512 && domainSpec.test(text)
}
