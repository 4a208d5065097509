import type { RecordFault } from "@/lib/explanation/record-words"
import { hourMs } from "@/lib/platform/time"
import type { Finding } from "@/lib/domains/check/findings"
import type { RecordKey, RecordState, RecordStatus } from "@/lib/domains/records/records"
import { cutText } from "@/lib/platform/format"

export type DomainStatus = "pending" | "verified" | "degraded" | "failed"
export type ComponentStatus = RecordStatus | "not_configured"

/** How long required records may be missing: a new domain fails then, a verified one has been degraded so long. */
export const graceMs = 72 * hourMs

/** `missingSince`: since when not all required records have been in place; null while they are. */
export type DomainState = { status: DomainStatus; missingSince: Date | null; verifiedAt: Date | null }

/** Domains are checked every six hours at least; after a longer pause nobody has asked, as when no worker ran. */
const pauseMs = 24 * hourMs

/**
 * A record after a check. A failed lookup changes nothing until there has been no answer for the whole grace period: an
 * outage of somebody's name servers never ends a verification at once, and neither does the first check after one of ours.
 */
export function nextRecord<R extends RecordState>(record: R, finding: Finding, now: Date, before: Date | null): R {
  if (finding.outcome === "unknown") {
    const heardMs = record.lastAnswerAt === undefined ? 0 : Date.parse(record.lastAnswerAt)
    const asked = before !== null && now.getTime() - before.getTime() < pauseMs
    const forgotten = record.status === "verified" && asked && now.getTime() - heardMs >= graceMs
    if (forgotten) return { ...record, status: "pending", found: finding.found }
    // What was found is shown even before it is judged: nothing may be added beside it.
    return record.status !== "verified" && finding.found.length > 0 ? { ...record, found: finding.found } : record
  }
  const { likelyCause: _earlier, oldFound: _old, ...rest } = record
  return {
    ...(rest as R),
    status: finding.outcome === "valid" ? "verified" : "pending",
    found: finding.found,
    lastAnswerAt: now.toISOString(),
    ...(finding.likelyCause ? { likelyCause: finding.likelyCause } : {}),
  }
}

/** The domain after a check: verified once every required record is, otherwise by how long they have been missing. */
export function nextDomain(state: DomainState, required: RecordStatus[], now: Date): DomainState {
  if (required.every((status) => status === "verified")) {
    const returned = state.status === "verified" || state.status === "degraded"
    return { status: "verified", missingSince: null, verifiedAt: returned ? (state.verifiedAt ?? now) : now }
  }
  if (state.status === "verified") return { ...state, status: "degraded", missingSince: now }
  const missingSince = state.missingSince ?? now
  const over = now.getTime() - missingSince.getTime() >= graceMs
  return { ...state, missingSince, status: over ? "failed" : state.status }
}

/** When a degraded domain fails if its records are still missing; null for any other. */
export function failsAt({ status, missingSince }: { status: string; missingSince: Date | null }): Date | null {
  return status === "degraded" && missingSince ? new Date(missingSince.getTime() + graceMs) : null
}

/** What is still waited for when the domain has failed is failed too; optional records only ever wait. */
export function settleRecords<R extends RecordState & { optional?: boolean }>(records: R[], domain: DomainStatus): R[] {
  return records.map((record) => {
    const waiting = !isInPlace(record) && !record.optional
    return waiting ? { ...record, status: domain === "failed" ? "failed" : "pending" } : record
  })
}

/** Found as it has to be, or as it had to be before the installation changed its names and for a while after. */
export function isInPlace({ status, oldFound }: Pick<RecordState, "status" | "oldFound">): boolean {
  return status === "verified" || oldFound === true
}

type HostNames = { mailFromDomain: string; trackingDomain: string }

/** The states without what was found at names that are others now. */
export function renamed<S extends RecordState>(states: S[], before: HostNames, after: HostNames): S[] {
  return states.filter(({ key }) => {
    if (key === "tracking") return before.trackingDomain === after.trackingDomain
    return (key !== "mail-from-mx" && key !== "mail-from-spf") || before.mailFromDomain === after.mailFromDomain
  })
}

/** The records without which a domain is not verified: the key that signs, and both of MAIL FROM. */
export function requiredKeys(active: "dkim-a" | "dkim-b"): RecordFault["record"][] {
  return [active, "mail-from-mx", "mail-from-spf"]
}

export type ComponentStatuses = {
  dkimStatus: RecordStatus
  spfStatus: RecordStatus
  mailFromStatus: RecordStatus
  trackingStatus: ComponentStatus
}

/** `linksAnswer`: the host of tracked links leads to us by https, without which links do not use it. */
export function componentStatuses(
  records: RecordState[],
  active: "dkim-a" | "dkim-b",
  { linksAnswer = false } = {},
): ComponentStatuses {
  const of = (key: RecordKey) => records.find((record) => record.key === key)
  const status = (key: RecordKey) => {
    const record = of(key)
    if (!record) return "pending"
    return isInPlace(record) ? "verified" : record.status
  }
  const tracking = of("tracking")
  return {
    dkimStatus: status(active),
    spfStatus: status("mail-from-spf"),
    mailFromStatus: worse(status("mail-from-mx"), status("mail-from-spf")),
    trackingStatus: linksAnswer ? "verified" : trackingBefore(tracking),
  }
}

/** Not configured until something is found there. */
function trackingBefore(tracking: RecordState | undefined): ComponentStatus {
  if (!tracking || (tracking.status === "pending" && tracking.found.length === 0)) return "not_configured"
  return tracking.status === "verified" ? "pending" : tracking.status
}

/** A domain from which mail may be sent: a degraded one still sends. */
export function maySend(status: DomainStatus): boolean {
  return status === "verified" || status === "degraded"
}

/**
 * Seconds until the next check after `attempt` checks: 5, 15 and 30, then from a minute doubling to six hours. The count
 * restarts at registration, when somebody runs a check, and when the domain's status changes.
 */
export function recheckDelaySeconds(attempt: number): number {
  const first = [5, 15, 30][attempt]
  return first ?? Math.min(60 * 2 ** Math.min(attempt - 3, 20), 6 * 60 * 60)
}

/**
 * A verified domain is checked every six hours, which is also the longest delay of the others, and of one whose host for links
 * does not answer yet.
 */
export function nextCheckSeconds(status: DomainStatus, attempt: number, tracking?: ComponentStatus): number {
  return status === "verified" && tracking !== "pending" ? 6 * 60 * 60 : recheckDelaySeconds(attempt)
}

function worse(a: RecordStatus, b: RecordStatus): RecordStatus {
  const order = ["failed", "pending", "verified"] as const
  return order.find((status) => a === status || b === status) ?? "pending"
}

/** How the built-in sandbox concerns a domain: its zone answers for it, or its mail is captured; null outside of it. */
export function sandboxOf({
  domain,
  transport,
}: {
  domain: string
  transport?: string | undefined
}): "answered" | "captured" | null {
  if (transport !== "sandbox") return null
  return domain.endsWith(".test") ? "answered" : "captured"
}

/**
 * Whether the records of a domain are not to be published yet: its mail is captured, and it was never verified. The page and every form
 * in which the records are exported go by this alone.
 */
export function waitsForInstallation(domain: {
  domain: string
  transport?: string | undefined
  verifiedAt?: string | Date | null | undefined
}): boolean {
  return sandboxOf(domain) === "captured" && !domain.verifiedAt
}

/** Goes with the records of such a domain. */
export const cannotSendYet =
  "Do not publish these yet. This installation cannot send, and the records name hosts of its sandbox."

/** A record to publish, with what the last check found at its name. */
export type SeenRecord = {
  key: string
  type: string
  value: string
  priority?: number
  status?: string
  found?: string[]
  likelyCause?: { code: string; message: string; fix: string }
}

const shownMax = 200

/** What a DMARC record has to be where no value can be recommended: the policy that its owner wants cannot be read. */
export const dmarcSyntax = "v=DMARC1; p=none, quarantine or reject"

/** An alias takes the whole name: nothing can be added beside it (RFC 1034 3.6.2). */
const aliases = ["cname-in-the-way", "alias-loop", "dmarc-vendor-hosted"]

/**
 * Why this record must not simply be added to the zone, in a few words; null where it can. A second DMARC or SPF
 * record makes receivers ignore both (RFC 9989 4.7, RFC 7208 4.5), a second key or mail server leads some of them astray.
 */
export function conflictOf(record: SeenRecord): string | null {
  const { likelyCause, found = [], status } = record
  if (likelyCause && isAliased(record)) return `${likelyCause.message} ${likelyCause.fix}`
  const same = found.every((text) => text === written(record))
  // A policy may be published through a CNAME that we did not see: then even the same text must not be added.
  if (found.length === 0 || (same && record.key !== "dmarc")) return null
  const shown = found.map((text) => (text.length > shownMax ? `${cutText(text, shownMax)}…` : text)).join(" | ")
  return same || status === "verified" ? `already published: ${shown}` : `replaces the current record: ${shown}`
}

/** Something is published at the record's name, valid or not. */
export function isOccupied(record: Pick<SeenRecord, "status" | "found" | "likelyCause">): boolean {
  return record.status === "verified" || (record.found ?? []).length > 0 || isAliased(record)
}

function isAliased({ likelyCause }: Pick<SeenRecord, "likelyCause">): boolean {
  return likelyCause !== undefined && aliases.includes(likelyCause.code)
}

/** In the form in which checks store what they find. */
function written({ priority, value }: SeenRecord): string {
  return priority === undefined ? value : `${priority} ${value}`
}
