import type { Dns } from "@/lib/platform/dns/types"
import { compareBimi } from "@/lib/domains/check/compare-bimi"
import { compareDkim, type PublishedKey } from "@/lib/domains/check/compare-dkim"
import { compareDmarc, type DmarcComparison } from "@/lib/domains/check/compare-dmarc"
import { compareMx, compareSpf } from "@/lib/domains/check/compare-mail-from"
import { compareTracking } from "@/lib/domains/check/compare-tracking"
import { missing, type Finding } from "@/lib/domains/check/findings"
import type { Place } from "@/lib/domains/check/misplaced"
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
  if (key === "dkim-a") return compareDkim(dns, at(expected, dkim.a.name), dkim.a)
  if (key === "dkim-b") return compareDkim(dns, at(expected, dkim.b.name), dkim.b)
  if (key === "mail-from-mx") return compareMx(dns, at(expected, mailFromDomain), expected.feedbackHost)
  if (key === "mail-from-spf") return compareSpf(dns, at(expected, mailFromDomain), expected.spfHost)
  if (key === "tracking") return compareTracking(dns, at(expected, trackingDomain), expected.trackingTarget)
  if (key === "bimi") return bimiOf(dns, expected)
  return (await dmarcOf(dns, expected)).finding
}

async function bimiOf(dns: Dns, expected: Expectation): Promise<Finding> {
  const { bimi } = expected
  return bimi ? compareBimi(dns, at(expected, bimi.name), bimi.value) : missing()
}

function dmarcOf(dns: Dns, expected: Expectation): Promise<DmarcComparison> {
  return compareDmarc(dns, { ...expected, uri: expected.reportUri })
}

function at(expected: Expectation, name: string): Place {
  return { name, domain: expected.domain, zone: expected.zone ?? expected.organizationalDomain }
}
