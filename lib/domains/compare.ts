import type { Dns } from "@/lib/platform/dns-types"
import { compareDkim } from "./compare-dkim"
import { compareDmarc, type DmarcComparison } from "./compare-dmarc"
import { compareMx, compareSpf } from "./compare-mail-from"
import { compareTracking } from "./compare-tracking"
import type { Finding } from "./findings"
import type { Place } from "./misplaced"
import type { RecordKey } from "./records"

export type Expectation = {
  domain: string
  organizationalDomain: string
  /** The zone in which the records stand; the organizational domain when left out. */
  zone?: string
  dkim: { a: { name: string; publicKey: string }; b: { name: string; publicKey: string } }
  mailFromDomain: string
  /** The exchange of the MAIL FROM MX. */
  feedbackHost: string
  /** The name that the MAIL FROM SPF record includes. */
  spfHost: string
  trackingDomain: string
  trackingTarget: string
  reportUri: string
  reportDomain: string
}

export type Comparison = { findings: Record<RecordKey, Finding>; dmarc: DmarcComparison }

/** Looks every record of a registration up at once and says what stands there. Never throws. */
export async function compareRecords(dns: Dns, expected: Expectation): Promise<Comparison> {
  const [dkimA, dkimB, mx, spf, dmarc, tracking] = await Promise.all([
    compareDkim(dns, at(expected, expected.dkim.a.name), expected.dkim.a.publicKey),
    compareDkim(dns, at(expected, expected.dkim.b.name), expected.dkim.b.publicKey),
    compareMx(dns, at(expected, expected.mailFromDomain), expected.feedbackHost),
    compareSpf(dns, at(expected, expected.mailFromDomain), expected.spfHost),
    compareDmarc(dns, { ...expected, uri: expected.reportUri }),
    compareTracking(dns, at(expected, expected.trackingDomain), expected.trackingTarget),
  ])
  const findings: Record<RecordKey, Finding> = {
    "dkim-a": dkimA,
    "dkim-b": dkimB,
    "mail-from-mx": mx,
    "mail-from-spf": spf,
    dmarc: dmarc.finding,
    tracking,
  }
  return { findings, dmarc }
}

function at(expected: Expectation, name: string): Place {
  return { name, domain: expected.domain, zone: expected.zone ?? expected.organizationalDomain }
}
