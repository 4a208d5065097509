import { isIPv4, isIPv6 } from "node:net"

/** A term of an SPF record (RFC 7208 4.6.1), lower case but for the target. */
export type SpfTerm = {
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
