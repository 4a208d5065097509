import { registrableDomain } from "@/lib/addresses/registrable"
import { recommendedDmarc, type PublishedPolicy } from "@/lib/domains/records/dmarc-record"
import type { Region } from "@/lib/regions/regions"

/** The names by which this installation appears in its customers' records. */
export type ServiceNames = { serviceDomain: string; reportDomain: string }

export type RecordKey = "dkim-a" | "dkim-b" | "mail-from-mx" | "mail-from-spf" | "dmarc" | "tracking" | "bimi"

export type RecordStatus = "pending" | "verified" | "failed"

/** One record to publish: an absolute name without the final dot, and the value as a DNS form wants it. */
export type ExpectedRecord = {
  key: RecordKey
  name: string
  type: "TXT" | "MX" | "CNAME"
  /** Empty where nothing can be recommended: a DMARC record whose policy cannot be read. */
  value: string
  priority?: number
  optional?: boolean
}

/** What is stored of a domain from which its records are computed. */
export type Registration = {
  domain: string
  region: Region
  mailFromDomain: string
  trackingDomain: string
  keys: DkimPublicKey[]
  /** The local part of its report address; null where none was ever made. */
  reportToken: string | null
  /** What its owner had published for DMARC when it was looked up last. */
  policy: PublishedPolicy
  logo: { logoUrl: string | null; vmcUrl: string | null }
}

/** `publicKey` is base64 of the SPKI DER; the active key signs. */
export type DkimPublicKey = { record: "dkim-a" | "dkim-b"; selector: string; publicKey: string; active: boolean }

export const mailFromPriority = 10

/**
 * What the owner has to publish, in the order in which the pages show it, for the installation's present names. The one place where these
 * values are made: nothing of them is stored, so they follow a change of the names.
 */
export function recordsToPublish(registration: Registration, service: ServiceNames): ExpectedRecord[] {
  const { domain, region, mailFromDomain, trackingDomain, reportToken, policy, logo } = registration
  const keys = registration.keys.toSorted((one, other) => Number(other.active) - Number(one.active))
  const values = mailFromValues(region, service)
  const organizational = registrableDomain(domain) ?? domain
  const dmarc = reportToken !== null && recommendedDmarc(policy, organizational, reportUri(reportToken, service))
  return [
    ...keys.map(({ record, selector: label, publicKey }): ExpectedRecord => ({
      key: record,
      name: dkimName(label, domain),
      type: "TXT",
      value: dkimValue(publicKey),
    })),
    {
      key: "mail-from-mx",
      name: mailFromDomain,
      type: "MX",
      value: values["mail-from-mx"],
      priority: mailFromPriority,
    },
    { key: "mail-from-spf", name: mailFromDomain, type: "TXT", value: values["mail-from-spf"] },
    ...(dmarc
      ? [{ key: "dmarc", type: "TXT", name: dmarc.name, value: dmarc.value ?? "", optional: true } as const]
      : []),
    { key: "tracking", name: trackingDomain, type: "CNAME", value: trackingTarget(service), optional: true },
    ...(logo.logoUrl === null ? [] : [bimiRecord(domain, logo.logoUrl, logo.vmcUrl)]),
  ]
}

/** The values of both records at the MAIL FROM domain. */
export function mailFromValues(region: Region, service: ServiceNames) {
  return {
    "mail-from-mx": feedbackHost(region, service),
    "mail-from-spf": `v=spf1 include:${spfHost(region, service)} ~all`,
  }
}

/** The record to publish for a logo; without a certificate `a` is empty. */
function bimiRecord(domain: string, logoUrl: string, vmcUrl: string | null): ExpectedRecord {
  const value = `v=BIMI1; l=${logoUrl}; a=${vmcUrl ?? ""};`
  return { key: "bimi", name: `default._bimi.${domain}`, type: "TXT", value, optional: true }
}

export function dkimName(selectorLabel: string, domain: string): string {
  return `${selectorLabel}._domainkey.${domain}`
}

/**
 * `mr`, six characters of the registration's id, and the key's letter: no two registrations share a selector, and so
 * none shares a key (RFC 6376 3.6.2.2 asks for one TXT per selector).
 */
export function selector(domainId: string, letter: "a" | "b"): string {
  return `mr${idLabel(domainId)}${letter}`
}

/** Six characters of base32 from the random end of a UUIDv7; its beginning is the time, which neighbours share. */
export function idLabel(domainId: string): string {
  let rest = BigInt(`0x${domainId.replaceAll("-", "")}`)
  let label = ""
  for (let i = 0; i < 6; i++) {
    label = "abcdefghijklmnopqrstuvwxyz234567".charAt(Number(rest & 31n)) + label
    rest >>= 5n
  }
  return label
}

export function dkimValue(publicKey: string): string {
  return `v=DKIM1; k=rsa; p=${publicKey}`
}

export function feedbackHost(region: Region, service: ServiceNames): string {
  return `feedback.${region}.${service.serviceDomain}`
}

export function spfHost(region: Region, service: ServiceNames): string {
  return `spf.${region}.${service.serviceDomain}`
}

export function trackingTarget(service: ServiceNames): string {
  return `track.${service.serviceDomain}`
}

export function trackingDomain(domain: string): string {
  return `links.${domain}`
}

/** The address to which receivers send their aggregate reports (RFC 9990), as written in a DMARC record. */
export function reportUri(token: string, service: ServiceNames): string {
  return `mailto:${token}@${service.reportDomain}`
}

/** The record that asks senders of mail for reports about TLS (RFC 8460 section 3). It is no part of what is verified. */
export function tlsReportRecord(domain: string, address: string): { name: string; value: string } {
  return { name: `_smtp._tls.${domain}`, value: `v=TLSRPTv1; rua=mailto:${address}` }
}
