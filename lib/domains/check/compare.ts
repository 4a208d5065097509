import { compareDkim, type PublishedKey } from "@/lib/domains/check/compare-dkim"
import { compareMx, compareSpf } from "@/lib/domains/check/compare-mail-from"
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
} from "@/lib/domains/check/findings"
import type { RecordKey } from "@/lib/domains/records/records"
import { parseTags } from "@/lib/domains/records/tags"
import type { Dns } from "@/lib/platform/dns/types"

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
