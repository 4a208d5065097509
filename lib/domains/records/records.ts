import type { Region } from "@/lib/platform/env/settings"

/** The names by which this installation appears in its customers' records. */
export type ServiceNames = { serviceDomain: string; reportDomain: string }

export type RecordKey = "dkim-a" | "dkim-b" | "mail-from-mx" | "mail-from-spf" | "dmarc" | "tracking" | "bimi"

/** One record to publish: an absolute name without the final dot, and the value as a DNS form wants it. */
export type ExpectedRecord = {
  key: RecordKey
  name: string
  type: "TXT" | "MX" | "CNAME"
  value: string
  priority?: number
  optional?: boolean
}

export type Registration = {
  domainId: string
  domain: string
  region: Region
  mailFromDomain: string
  trackingDomain: string
  /** Base64 of the SPKI DER of both keys. */
  dkim: { a: string; b: string }
  dmarc: { name: string; value: string }
}

export const mailFromPriority = 10

/** What the owner has to publish for a registration, in the order in which the pages show it. */
export function recordsToPublish(registration: Registration, service: ServiceNames): ExpectedRecord[] {
  const { domain, domainId, region, mailFromDomain } = registration
  return [
    dkimRecord("dkim-a", selector(domainId, "a"), domain, registration.dkim.a),
    dkimRecord("dkim-b", selector(domainId, "b"), domain, registration.dkim.b),
    {
      key: "mail-from-mx",
      name: mailFromDomain,
      type: "MX",
      value: feedbackHost(region, service),
      priority: mailFromPriority,
    },
    {
      key: "mail-from-spf",
      name: mailFromDomain,
      type: "TXT",
      value: `v=spf1 include:${spfHost(region, service)} ~all`,
    },
    { key: "dmarc", type: "TXT", ...registration.dmarc, optional: true },
    {
      key: "tracking",
      name: registration.trackingDomain,
      type: "CNAME",
      value: trackingTarget(service),
      optional: true,
    },
  ]
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

function dkimRecord(key: "dkim-a" | "dkim-b", label: string, domain: string, publicKey: string): ExpectedRecord {
  return { key, name: `${label}._domainkey.${domain}`, type: "TXT", value: dkimValue(publicKey) }
}
