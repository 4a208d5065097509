import type { Dns } from "@/lib/platform/dns/types"
import { compareBimi } from "@/lib/domains/check/compare-bimi"
import { compareDkim, type PublishedKey } from "@/lib/domains/check/compare-dkim"
import { compareDmarc, type DmarcComparison } from "@/lib/domains/check/compare-dmarc"
import { compareMx, compareSpf } from "@/lib/domains/check/compare-mail-from"
import { compareTracking } from "@/lib/domains/check/compare-tracking"
import { missing, type Finding } from "@/lib/domains/check/findings"
import { isWildcard, onlyWildcard, type Place } from "@/lib/domains/check/misplaced"
import type { RecordKey } from "@/lib/domains/records/records"

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
  place: Place,
  compare: (place: Place) => Promise<Finding>,
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

function at(expected: Expectation, name: string): Place {
  return { name, domain: expected.domain, zone: expected.zone ?? expected.organizationalDomain }
}
