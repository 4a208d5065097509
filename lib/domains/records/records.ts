import { registrableDomain } from "@/lib/addresses/registrable"
import { type StoredCause, causeWords } from "@/lib/explanation/record-words"
import { type PublishedPolicy, recommendedDmarc } from "@/lib/domains/records/dmarc-record"
import type { Domain } from "@/lib/domains/schema"
import { dayMs } from "@/lib/platform/time"
import type { Region } from "@/lib/regions/regions"
import { regionSettings } from "@/lib/regions/settings"

/** The names by which this installation appears in its customers' records. */
export type ServiceNames = { serviceDomain: string; reportDomain: string }

/** The hosts in the two records at a MAIL FROM domain, by how its region sends. */
type MailFromHosts = { mx: string; spf: string }

/** What the values of a domain's records are made of beside the domain's own. */
export type DomainNames = ServiceNames & MailFromHosts

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
  const values = mailFromValues(mailFromHosts(region, service))
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
function mailFromValues({ mx, spf }: MailFromHosts) {
  return { "mail-from-mx": mx, "mail-from-spf": `v=spf1 include:${spf} ~all` }
}

/** Where mail that comes back goes, and the name whose SPF record says who sends: ours, or those of Amazon SES where a region sends by it. */
export function mailFromHosts(region: Region, service: ServiceNames): MailFromHosts {
  const profile = regionSettings().profiles[region]
  if (profile.transport !== "ses") return { mx: feedbackHost(region, service), spf: spfHost(region, service) }
  return { mx: `feedback-smtp.${profile.ses.awsRegion}.amazonses.com`, spf: "amazonses.com" }
}

/** The installation's present names for the domains of a region. */
export function domainNames(region: Region, { serviceDomain, reportDomain }: ServiceNames): DomainNames {
  return { serviceDomain, reportDomain, ...mailFromHosts(region, { serviceDomain, reportDomain }) }
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

// Records and what is known of them

/** What is stored of a record: everything that cannot be computed. Times are ISO 8601. */
export type RecordState = {
  key: RecordKey
  status: RecordStatus
  found: string[]
  likelyCause?: StoredCause
  /** The last time that the DNS said anything definite about it. */
  lastAnswerAt?: string
  /** Of the idle DKIM selector: the value that was rotated out and has to stay until then. */
  retired?: { value: string; keepUntil: string }
  /** The value for the names with which the domain was verified was found instead of the present one. */
  oldFound?: boolean
  /** Of the DMARC record: what was published, from which the value is made. */
  policy?: PublishedPolicy
}

/** A record, its status, and what the last checks found. */
export type WatchedRecord = ExpectedRecord &
  RecordState & { /** Counts beside `value`, for a while. */ oldValue?: string }

/** The installation's names as a domain knows them. */
export type KnownNames = {
  /** Its records were compared with these last; null if they never were. */
  checked: DomainNames | null
  /** It was verified with these. */
  verified: DomainNames | null
  /** Since when the present names are others than those. */
  changedAt: Date | null
}

/** How long the records of earlier names keep a domain verified. */
const oldNamesMs = 14 * dayMs

/** Until when the records for the names with which a domain was verified count; null if these are the present ones. */
export function oldRecordsCountUntil(known: KnownNames, present: DomainNames, now: Date): Date | null {
  const since = otherHostsSince(known, present, now)
  return since && new Date(since.getTime() + oldNamesMs)
}

/** Since when a domain's required records have other values than those with which it was verified; null if they have the same. */
export function otherHostsSince({ checked, verified, changedAt }: KnownNames, present: DomainNames, now: Date) {
  if (!verified || hasSameHosts(verified, present)) return null
  return (checked && hasSameHosts(checked, present) && changedAt) || now
}

function hasSameHosts(one: MailFromHosts, other: MailFromHosts): boolean {
  return one.mx === other.mx && one.spf === other.spf
}

/**
 * The records to publish for the installation's present names, with what is known of each. What was found for other names does
 * not make a record of the present ones right or wrong: it waits for the next check.
 */
export function watchedRecords(
  registration: Registration,
  states: RecordState[],
  known: KnownNames,
  service: ServiceNames,
  now: Date,
): WatchedRecord[] {
  const present = domainNames(registration.region, service)
  const until = oldRecordsCountUntil(known, present, now)
  const old = until && now < until ? known.verified : null
  return recordsToPublish(registration, service).map((expected): WatchedRecord => {
    const state = states.find(({ key }) => key === expected.key)
    if (!state) return { ...expected, status: "pending", found: [] }
    // Rows of earlier versions also hold the name and the value.
    const { key, status, found, likelyCause, lastAnswerAt, retired, oldFound = false, policy } = state
    const name = namedBy[key]
    const stale = name !== undefined && known.checked !== null && known.checked[name] !== present[name]
    const oldValue = old ? oldValueOf(key, old, present) : undefined
    const counts = oldValue !== undefined && (oldFound || (stale && status === "verified"))
    return {
      ...expected,
      key,
      status: stale && status === "verified" ? "pending" : status,
      found,
      ...(likelyCause && !stale ? { likelyCause } : {}),
      ...(lastAnswerAt ? { lastAnswerAt } : {}),
      ...(retired ? { retired } : {}),
      ...(policy ? { policy } : {}),
      ...(counts ? { oldFound: true, oldValue } : {}),
    }
  })
}

/** The required value for the names with which a domain was verified, where it is not the present one. */
function oldValueOf(key: RecordKey, old: DomainNames, present: DomainNames): string | undefined {
  if (key !== "mail-from-mx" && key !== "mail-from-spf") return undefined
  const value = mailFromValues(old)[key]
  return value === mailFromValues(present)[key] ? undefined : value
}

/** The part of the installation's names that is in the value of a record; a DKIM key and a logo have none. */
export const namedBy: Partial<Record<RecordKey, keyof DomainNames>> = {
  "mail-from-mx": "mx",
  "mail-from-spf": "spf",
  tracking: "serviceDomain",
  dmarc: "reportDomain",
}

/** What is stored of the records. */
export function statesOf(records: WatchedRecord[]): RecordState[] {
  return records.map(({ key, status, found, likelyCause, lastAnswerAt, retired, oldFound, policy }) => ({
    key,
    status,
    found,
    ...(likelyCause ? { likelyCause } : {}),
    ...(lastAnswerAt ? { lastAnswerAt } : {}),
    ...(retired ? { retired } : {}),
    ...(oldFound ? { oldFound } : {}),
    ...(policy ? { policy } : {}),
  }))
}

// Records as the API shows them

type Records = Domain["verificationRecords"]

/** The watched records in the form in which the API shows them. */
export function verificationRecords(records: WatchedRecord[]): Records {
  const dmarc = records.find(({ key }) => key === "dmarc")
  const tracking = records.find(({ key }) => key === "tracking")
  const bimi = records.find(({ key }) => key === "bimi")
  return {
    // The active key comes first in the list.
    dkim: records.filter(({ key }) => key === "dkim-a" || key === "dkim-b").map(withRetired),
    mailFromMx: shown(must(records, "mail-from-mx")),
    mailFromSpf: shown(must(records, "mail-from-spf")),
    ...(dmarc && dmarc.value !== "" ? { dmarcRecommended: shown(dmarc) } : {}),
    ...(dmarc && dmarc.value === "" ? { dmarcUnreadable: withoutValue(shown(dmarc)) } : {}),
    ...(bimi ? { bimi: shown(bimi) } : {}),
    ...(tracking ? { trackingCname: shown(tracking) } : {}),
  }
}

function withoutValue({ value: _value, ...record }: Records["mailFromMx"]): NonNullable<Records["dmarcUnreadable"]> {
  return record
}

function withRetired(record: WatchedRecord): Records["dkim"][number] {
  return {
    ...shown(record),
    ...(record.retired ? { retired: { ...record.retired, keepUntil: new Date(record.retired.keepUntil) } } : {}),
  }
}

function shown({
  name,
  type,
  value,
  priority,
  optional,
  status,
  found,
  likelyCause,
  oldValue,
}: WatchedRecord): Records["mailFromMx"] {
  return {
    name,
    type,
    value,
    ...(priority === undefined ? {} : { priority }),
    ...(optional === undefined ? {} : { optional }),
    status,
    ...(oldValue === undefined ? {} : { oldValue }),
    ...(found.length > 0 ? { found } : {}),
    ...(likelyCause ? { likelyCause: causeWords(likelyCause) } : {}),
  }
}

function must(records: WatchedRecord[], key: RecordKey): WatchedRecord {
  const record = records.find((each) => each.key === key)
  if (!record) throw new Error(`A registration without its ${key} record.`)
  return record
}
