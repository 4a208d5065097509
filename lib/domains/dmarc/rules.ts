import { formatNumber } from "@/lib/platform/format"
import type { Disposition, ReportRow } from "@/lib/domains/dmarc/parse"
import { dayMs } from "@/lib/platform/time"

/**
 * Where messages came from: sent by this service, by another server that the domain authorizes, forwarded by a server in
 * between, or by nobody the domain knows.
 */
export const sourceKinds = ["service", "authorized", "forwarder", "unknown"] as const

export type SourceKind = (typeof sourceKinds)[number]

/** Days for which reports are kept after their period. */
export const reportDays = 400

/** Why a report with this period is refused, DMARC or TLS; null if nothing speaks against it. */
export function periodFault({ beganAt, endedAt }: { beganAt: Date; endedAt: Date }, now: Date): string | null {
  if (endedAt.getTime() - beganAt.getTime() > 8 * dayMs)
    return "The report covers more than eight days, which receivers do not."
  if (endedAt.getTime() > now.getTime() + dayMs) return "The report ends in the future."
  if (endedAt.getTime() < now.getTime() - reportDays * dayMs)
    return `The report is older than the ${reportDays} days for which reports are kept.`
  return null
}

/** Before a stricter policy is advised: days with reports, and the share of messages that pass. */
export const daysWanted = 30
export const alignedWanted = 0.98

/** How a registration shows itself in authentication results. */
export type Sender = { domain: string; mailFromDomain: string; selectors: string[] }

export function kindOf(row: ReportRow, sender: Sender): SourceKind {
  if (!row.dkim && !row.spf) return row.forwarded ? "forwarder" : "unknown"
  const signed = row.dkimPassed.some(
    ({ domain, selector }) => domain === sender.domain && sender.selectors.includes(selector),
  )
  return signed || (row.spf && row.spfPassed === sender.mailFromDomain) ? "service" : "authorized"
}

/** The domain by which a source is recognised: one that it proved; of a forwarder the one after SPF. */
export function identityOf({ dkimPassed, spfPassed, headerFrom }: ReportRow): string | null {
  const foreign = dkimPassed.map(({ domain }) => domain).find((domain) => domain !== headerFrom)
  const identity = spfPassed && spfPassed !== headerFrom ? spfPassed : (foreign ?? spfPassed ?? dkimPassed[0]?.domain)
  return identity ? identity.slice(0, 253) : null
}

/** Whether messages with this domain in From belong to a registration. */
export function belongsTo(headerFrom: string, domain: string): boolean {
  return headerFrom === domain || headerFrom.endsWith(`.${domain}`)
}

/** The policy for the registered domain by a report about a domain above it, or about itself. */
export function policyFor(
  domain: string,
  {
    policyDomain,
    policy,
    subdomainPolicy,
  }: { policyDomain: string; policy: Disposition; subdomainPolicy: Disposition | null },
): Disposition {
  return policyDomain === domain || !domain.endsWith(`.${policyDomain}`) ? policy : (subdomainPolicy ?? policy)
}

export type Tightening = {
  current: Disposition
  /** The next stricter policy; none above `reject`. */
  next?: Exclude<Disposition, "none">
  /** Whether the next step is advised. */
  safe: boolean
  reason: string
}

/** Whether the policy may become stricter: first quarantine, then reject, after 30 days in which 98 % passed. */
export function tightening(
  current: Disposition,
  {
    days,
    observed,
    aligned,
    unknownNames,
  }: { days: number; observed: number; aligned: number; unknownNames: string[] },
): Tightening {
  if (current === "reject") return { current, safe: false, reason: "The policy is the strictest there is." }
  const next = current === "none" ? "quarantine" : "reject"
  const share = observed === 0 ? 0 : aligned / observed
  if (days < daysWanted) {
    const reason = `Reports cover ${days} of the ${daysWanted} days that are needed before a stricter policy is safe.`
    return { current, next, safe: false, reason }
  }
  const passed = `${percent(share)} of ${formatNumber(observed)} messages passed`
  const unknown = unknownNames.length ? ` Unknown sources: ${unknownNames.slice(0, 3).join(", ")}.` : ""
  if (share < alignedWanted) {
    const reason = `${passed}; ${percent(alignedWanted)} are needed. Set up SPF or DKIM for what is yours.${unknown}`
    return { current, next, safe: false, reason }
  }
  const optional = next === "reject" ? " If people write to mailing lists from this domain, quarantine is enough." : ""
  return { current, next, safe: true, reason: `${passed} in the last ${daysWanted} days.${unknown}${optional}` }
}

/** Rounded down: 97.99 % must not read as 98 %. */
function percent(share: number): string {
  return `${Math.floor(share * 1_000) / 10}%`
}
