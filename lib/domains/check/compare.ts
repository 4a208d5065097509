import { compareDmarc, type DmarcComparison } from "@/lib/domains/check/dmarc"
import {
  failedLookup,
  type Finding,
  invalid,
  isWildcard,
  missing,
  missingAt,
  onlyWildcard,
  type RecordLocation,
  relativeHost,
  valid,
  undecided,
} from "@/lib/domains/check/findings"
import type { RecordKey } from "@/lib/domains/records/records"
import { parseTags } from "@/lib/domains/records/dmarc-record"
import type { Dns, DnsMx } from "@/lib/platform/dns/dns"
import type { Cause } from "@/lib/explanation/record-words"
import { cutText } from "@/lib/platform/format"
import { evaluateSpf, isSpf, parseSpf, readSpf, type SpfResult } from "@/lib/domains/check/spf"

export type Expectation = {
  domain: string
  organizationalDomain: string
  /** The zone in which the records are published; the organizational domain when left out. */
  zone?: string
  dkim: { a: ExpectedKey; b: ExpectedKey }
  mailFromDomain: string
  /** The exchange of the MAIL FROM MX. */
  feedbackHost: string
  /** The name that the MAIL FROM SPF record includes. */
  spfHost: string
  trackingDomain: string
  trackingTarget: string
  reportUri: string
  reportDomain: string
  /** Once a logo is configured. */
  bimi?: { name: string; value: string }
}

type ExpectedKey = PublishedKey & { name: string }

export type Comparison = { findings: Record<RecordKey, Finding>; dmarc: DmarcComparison }

/** Looks up all records of a registration in parallel and judges each. Never throws. */
export async function compareRecords(dns: Dns, expected: Expectation): Promise<Comparison> {
  const dmarc = dmarcOf(dns, expected)
  const [dkimA, dkimB, mx, spf, tracking, bimi] = await Promise.all([
    compareOne(dns, expected, "dkim-a"),
    compareOne(dns, expected, "dkim-b"),
    compareOne(dns, expected, "mail-from-mx"),
    compareOne(dns, expected, "mail-from-spf"),
    compareOne(dns, expected, "tracking"),
    compareOne(dns, expected, "bimi"),
  ])
  const findings: Record<RecordKey, Finding> = {
    "dkim-a": dkimA,
    "dkim-b": dkimB,
    "mail-from-mx": mx,
    "mail-from-spf": spf,
    dmarc: (await dmarc).finding,
    tracking,
    bimi,
  }
  return { findings, dmarc: await dmarc }
}

/** Looks up one record. Never throws. */
export async function compareOne(dns: Dns, expected: Expectation, key: RecordKey): Promise<Finding> {
  const { dkim, mailFromDomain, trackingDomain } = expected
  if (key === "dkim-a") return ofName(dns, "txt", at(expected, dkim.a.name), (place) => compareDkim(dns, place, dkim.a))
  if (key === "dkim-b") return ofName(dns, "txt", at(expected, dkim.b.name), (place) => compareDkim(dns, place, dkim.b))
  if (key === "mail-from-mx")
    return ofName(dns, "mx", at(expected, mailFromDomain), (place) => compareMx(dns, place, expected.feedbackHost))
  if (key === "mail-from-spf")
    return ofName(dns, "txt", at(expected, mailFromDomain), (place) => compareSpf(dns, place, expected.spfHost))
  if (key === "tracking")
    return ofName(dns, "addresses", at(expected, trackingDomain), (place) =>
      compareTracking(dns, place, expected.trackingTarget),
    )
  if (key === "bimi") return bimiOf(dns, expected)
  return (await dmarcOf(dns, expected)).finding
}

/** What a comparison found at a name, unless it is a wildcard's: then nothing of it is published at the name itself. */
async function ofName(
  dns: Dns,
  type: "txt" | "mx" | "addresses",
  place: RecordLocation,
  compare: (place: RecordLocation) => Promise<Finding>,
): Promise<Finding> {
  const finding = await compare(place)
  return finding.outcome === "invalid" && (await isWildcard(dns, place.name, type)) ? onlyWildcard(place) : finding
}

async function bimiOf(dns: Dns, expected: Expectation): Promise<Finding> {
  const { bimi } = expected
  if (!bimi) return missing()
  return ofName(dns, "txt", at(expected, bimi.name), (place) => compareBimi(dns, place, bimi.value))
}

function dmarcOf(dns: Dns, expected: Expectation): Promise<DmarcComparison> {
  return compareDmarc(dns, { ...expected, uri: expected.reportUri })
}

function at(expected: Expectation, name: string): RecordLocation {
  return { name, domain: expected.domain, zone: expected.zone ?? expected.organizationalDomain }
}

// The tracking host

/** The tracking host is an alias of ours. A proxied or flattened alias shows addresses instead. */
export async function compareTracking(dns: Dns, place: RecordLocation, target: string): Promise<Finding> {
  const answer = await dns.cname(place.name)
  if (answer.kind === "error") return failedLookup(answer.reason, place.name)
  if (answer.kind === "found") {
    const found = answer.values
    if (found.every((value) => value === target)) return valid(found)
    return found.some((value) => value.startsWith(`${target}.`))
      ? invalid(found, { code: "doubled-zone", facts: { in: "target", value: target } })
      : invalid(found, { code: "other-target", facts: { name: place.name } })
  }
  const addresses = await dns.addresses(place.name)
  if (addresses.kind === "found") {
    return invalid(addresses.values, { code: "proxied", facts: { name: place.name, host: relativeHost(place) } })
  }
  return missingAt(dns, place, async (name) => {
    const other = await dns.cname(name)
    return other.kind === "found" ? other.values.filter((value) => value === target) : []
  })
}

// BIMI

/** Is this logo published, with this certificate, exactly once? Compared by the parsed tags. */
async function compareBimi(dns: Dns, place: RecordLocation, value: string): Promise<Finding> {
  const answer = await dns.txt(place.name)
  if (answer.kind === "error") return failedLookup(answer.reason, place.name)
  const records = answer.kind === "found" ? answer.values.filter(isBimi) : []
  if (records.length > 0) return judge(records, place.name, value)
  if (answer.kind === "found")
    return invalid(answer.values, { code: "other-value", facts: { is: "no-bimi", name: place.name } })
  return missingAt(dns, place, async (name) => {
    const other = await dns.txt(name)
    return other.kind === "found" ? other.values.filter(isBimi) : []
  })
}

function judge(records: string[], name: string, value: string): Finding {
  const [record = ""] = records
  if (records.length > 1)
    return invalid(records, { code: "several-records", facts: { kind: "BIMI", count: records.length, name } })
  const [found, expected] = [parseTags(record), parseTags(value)]
  const same = (tag: string) => (found?.get(tag) ?? "") === (expected?.get(tag) ?? "")
  if (found && same("l") && same("a")) return valid(records)
  const is = !found ? "unreadable-bimi" : same("l") ? "other-certificate" : "other-logo"
  return invalid(records, { code: "other-value", facts: { is, name } })
}

function isBimi(text: string): boolean {
  return /^\s*v\s*=\s*BIMI1\s*(;|$)/i.test(text)
}

/** Exactly one MX, ours: with a second one bounces would go elsewhere. The priority is the owner's affair. */
export async function compareMx(dns: Dns, place: RecordLocation, exchange: string): Promise<Finding> {
  const answer = await dns.mx(place.name)
  if (answer.kind === "error") return failedLookup(answer.reason, place.name)
  if (answer.kind === "missing") {
    return missingAt(dns, place, async (name) => {
      const other = await dns.mx(name)
      return other.kind === "found" ? other.values.filter((mx) => mx.exchange === exchange).map(mxText) : []
    })
  }
  const found = answer.values.map(mxText)
  const ours = answer.values.filter((mx) => mx.exchange === exchange)
  if (ours.length > 0 && answer.values.every((mx) => mx.exchange === exchange)) return valid(found)
  if (ours.length > 0) {
    return invalid(found, { code: "extra-mx", facts: { name: place.name } })
  }
  if (answer.values.some((mx) => mx.exchange.startsWith(`${exchange}.`))) {
    return invalid(found, { code: "doubled-zone", facts: { in: "exchange", value: exchange } })
  }
  return invalid(found, { code: "other-mx", facts: { name: place.name } })
}

/**
 * SPF at the MAIL FROM domain, judged by evaluation: it must pass for the addresses from which the region sends.
 * `include` is the name whose SPF record lists these addresses.
 */
export async function compareSpf(dns: Dns, place: RecordLocation, include: string): Promise<Finding> {
  const answer = await dns.txt(place.name)
  if (answer.kind === "error") return failedLookup(answer.reason, place.name)
  const texts = answer.kind === "found" ? answer.values : []
  const records = texts.filter(isSpf)
  const [record] = records
  if (records.length > 1) {
    return invalid(records, {
      code: "several-records",
      facts: { kind: "SPF", count: records.length, name: place.name },
    })
  }
  if (record !== undefined) return judgeSpf(dns, place, record, include)
  const typed = texts.find((text) => /v=spf1/i.test(text))
  if (typed !== undefined) return mistyped(typed)
  return missingAt(dns, place, async (name) => {
    const other = await dns.txt(name)
    return other.kind === "found" ? other.values.filter((text) => isSpf(text) && names(text, include)) : []
  })
}

async function judgeSpf(dns: Dns, place: RecordLocation, record: string, include: string): Promise<Finding> {
  // Word for word ours: whether our own list of addresses is right is the operator's affair, not the owner's.
  if (record.trim().toLowerCase().replace(/ +/g, " ") === `v=spf1 include:${include} ~all`) return valid([record])
  // A receiver reads the whole record before it evaluates any of it.
  const read = readSpf(record)
  if ("invalid" in read) {
    const fault = { result: "permerror", reason: "syntax", term: read.invalid, at: place.name } as const
    return spfInvalid(record, fault, place, include)
  }
  const egress = await egressAddresses(dns, include)
  if (egress === null) return undecided([record])
  const results = await Promise.all(egress.map((ip) => evaluateSpf(dns, place.name, ip)))
  const failed = results.find((result) => result.result !== "pass")
  if (failed?.result === "temperror") return undecided([record])
  if (failed) return spfInvalid(record, failed, place, include)
  if (egress.length === 0 && !names(record, include)) return spfInvalid(record, { result: "neutral" }, place, include)
  return valid([record])
}

/** The first addresses that our own SPF record lists; null when it cannot be read now. */
async function egressAddresses(dns: Dns, include: string): Promise<string[] | null> {
  const answer = await dns.txt(include)
  if (answer.kind === "error") return null
  const ours = answer.kind === "found" ? answer.values.find(isSpf) : undefined
  const terms = (ours !== undefined && parseSpf(ours)?.terms) || []
  return terms
    .filter((term) => term.name === "ip4" || term.name === "ip6")
    .map((term) => term.target)
    .slice(0, 4)
}

function spfInvalid(record: string, failed: SpfResult, place: RecordLocation, include: string): Finding {
  return invalid([record], spfFault(failed, place, include))
}

function spfFault(failed: SpfResult, place: RecordLocation, include: string): Cause {
  if (failed.result !== "permerror") return { code: "spf-not-passing", facts: { include } }
  if (failed.reason === "lookups") return { code: "spf-lookups", facts: {} }
  if (failed.reason === "voids") return { code: "spf-voids", facts: {} }
  if (failed.reason !== "syntax") return { code: "spf-syntax", facts: {} }
  const includedFrom = failed.at === place.name ? {} : { includedFrom: failed.at }
  return { code: "spf-syntax", facts: { term: cutText(failed.term, termShownMax), ...includedFrom } }
}

/** Characters of an invalid term that are shown. */
const termShownMax = 80

function mistyped(text: string): Finding {
  return /^\s*["'“”]/.test(text)
    ? invalid([text], { code: "quoted", facts: {} })
    : invalid([text], { code: "unreadable", facts: {} })
}

function names(record: string, include: string): boolean {
  const terms = parseSpf(record)?.terms ?? []
  return terms.some((term) => term.name === "include" && term.target.toLowerCase().replace(/\.$/, "") === include)
}

function mxText({ exchange, priority }: DnsMx): string {
  return `${priority} ${exchange || "."}`
}

/** Base64 of the SPKI DER; `retired`: the key before it under the same selector, whose TXT has to stay until that day. */
type PublishedKey = { publicKey: string; retired?: { publicKey: string; keepUntil: string } }

/**
 * Is this public key published, exactly once? Compared by the parsed tags: white space, the order of tags and tags
 * that we do not set make no difference (RFC 6376 3.6.1).
 */
export async function compareDkim(dns: Dns, place: RecordLocation, key: PublishedKey): Promise<Finding> {
  const { publicKey } = key
  const answer = await dns.txt(place.name)
  if (answer.kind === "error") return failedLookup(answer.reason, place.name)
  if (answer.kind === "found") return judgeKeys(answer.values, place.name, key)
  return missingAt(dns, place, async (name) => {
    const other = await dns.txt(name)
    return other.kind === "found" ? other.values.filter((value) => value.includes(publicKey)) : []
  })
}

export function judgeKeys(values: string[], name: string, key: PublishedKey): Finding {
  const { publicKey } = key
  const [value = ""] = values
  if (values.length > 1) return several(values, name, publicKey)
  // A record that would be right but for how it was typed: name the typing before the tags it breaks.
  if (/^\s*["'“”]|["'“”]\s*$/.test(value)) {
    return invalid(values, { code: "quoted", facts: {} })
  }
  if (value.includes("\\;")) {
    return invalid(values, { code: "escaped-semicolon", facts: {} })
  }
  if (isTail(value, publicKey)) return withoutBeginning(values)
  const tags = parseTags(value, { exact: true })
  const p = tags?.get("p")?.replace(/\s+/g, "")
  if (!tags || p === undefined || (tags.get("v") ?? "DKIM1") !== "DKIM1") {
    return invalid(values, { code: "other-value", facts: { is: "no-dkim-key" } })
  }
  if (p === "") {
    return invalid(values, { code: "revoked-key", facts: {} })
  }
  if (p !== publicKey) return otherKey(values, p, key)
  if ((tags.get("k") ?? "rsa").toLowerCase() !== "rsa") {
    return invalid(values, { code: "other-value", facts: { is: "key-type", type: tags.get("k") ?? "" } })
  }
  if ((tags.get("t") ?? "").split(":").some((flag) => flag.trim() === "y")) {
    return invalid(values, { code: "testing-flag", facts: {} })
  }
  return unusable(values, tags) ?? valid(values)
}

/** The key is ours, and a tag beside it keeps receivers from using it (RFC 6376 3.6.1); null where none does. */
function unusable(values: string[], tags: Map<string, string>): Finding | null {
  const listed = (tag: string) =>
    tags
      .get(tag)
      ?.split(":")
      .map((part) => part.trim().toLowerCase())
  const [hashes, services] = [listed("h"), listed("s")]
  if (tags.has("v") && [...tags.keys()][0] !== "v") {
    return invalid(values, { code: "dkim-version-order", facts: {} })
  }
  if (hashes && !hashes.includes("sha256")) {
    return invalid(values, { code: "dkim-hash", facts: { allowed: tags.get("h") ?? "" } })
  }
  if (services && !services.includes("email") && !services.includes("*")) {
    return invalid(values, { code: "dkim-service", facts: { allowed: tags.get("s") ?? "" } })
  }
  return null
}

function several(values: string[], name: string, publicKey: string): Finding {
  const bare = values.map((value) => value.replace(/[\s"]+/g, ""))
  const pieces =
    bare.length === 2 && [bare.join(""), bare.toReversed().join("")].some((text) => text.includes(publicKey))
  if (pieces && !bare.some((text) => text.includes(publicKey))) {
    return invalid(values, { code: "split-records", facts: {} })
  }
  return invalid(values, { code: "several-records", facts: { kind: "DKIM", count: values.length, name } })
}

/** The second half of a long value, published without the first. */
function isTail(value: string, publicKey: string): boolean {
  const text = value.replace(/[\s";]+/g, "")
  return text.length >= 16 && text.length < publicKey.length && publicKey.endsWith(text)
}

function withoutBeginning(values: string[]): Finding {
  return invalid(values, { code: "truncated", facts: {} })
}

function otherKey(values: string[], p: string, { publicKey, retired }: PublishedKey): Finding {
  if (retired && p === retired.publicKey) {
    return invalid(values, { code: "retired-key", facts: { keepUntil: retired.keepUntil } })
  }
  if (publicKey.includes(p)) {
    return invalid(values, { code: "truncated", facts: { characters: p.length, of: publicKey.length } })
  }
  return invalid(values, { code: "other-key", facts: {} })
}
