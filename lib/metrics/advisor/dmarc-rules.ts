import type { DmarcStanding } from "@/lib/domains/dmarc/data"
import type { AdvisorFacts, AdvisorFinding } from "@/lib/metrics/advisor/finding-types"
import { countText, percentText } from "@/lib/platform/format"

/** Messages in reports below which a domain is not judged. */
export const observedLeast = 100
export const failureBounds = { warning: 0.05, critical: 0.2 }
export const stepUp = { days: 30, aligned: 0.98 }

export const dmarcRules: readonly ((facts: AdvisorFacts) => AdvisorFinding[])[] = [
  ({ dmarc }) => dmarc.flatMap(alignmentFailures),
  ({ dmarc }) => dmarc.flatMap(policyStepUp),
]

function alignmentFailures(facts: DmarcStanding): AdvisorFinding[] {
  const { domainId, domain, observed7d, failureRate7d, unknownSources } = facts
  if (observed7d < observedLeast || failureRate7d < failureBounds.warning) return []
  const critical = failureRate7d >= failureBounds.critical
  return [
    {
      code: "dmarc_alignment_failures",
      severity: critical ? "critical" : "warning",
      title: `${percentText(failureRate7d)} of ${domain} fails DMARC`,
      message: `Receivers reported ${countText(observed7d, "message")} in the last 7 days. ${unknownSources ? `${countText(unknownSources, "source")} in the reports of 30 days ${unknownSources === 1 ? "is" : "are"} unknown.` : "Every source is known."}`,
      fix: "Open the sources: set up SPF or DKIM for those that are yours. The others pretend to be you.",
      deduction: critical ? 15 : 6,
      evidence: `/domains/${domainId}`,
      fixAt: `/domains/${domainId}`,
      data: dataOf(facts),
    },
  ]
}

/** First quarantine, then reject, after 30 days of reports in which 98 % passed (protocol.md 32). */
function policyStepUp(facts: DmarcStanding): AdvisorFinding[] {
  const { domainId, domain, policy, days, observed, aligned, unknownSources, unknownMessages } = facts
  if (policy === "reject" || days < stepUp.days || observed < observedLeast || aligned / observed < stepUp.aligned)
    return []
  const next = policy === "none" ? "quarantine" : "reject"
  const unknown = unknownSources
    ? `${countText(unknownSources, "source")} with ${countText(unknownMessages, "message")} ${unknownSources === 1 ? "is" : "are"} unknown: look at ${unknownSources === 1 ? "it" : "them"} first.`
    : "Every source is known."
  return [
    {
      code: "dmarc_policy_step_up",
      severity: "info",
      title: policy === "none" ? `${domain} can enforce DMARC` : `${domain} can reject what fails DMARC`,
      message: `Reports cover ${days} days, with ${countText(observed, "message")} in the last 30: ${percentDown(aligned / observed)} pass. ${unknown}`,
      fix: `Change \`p=${policy}\` to \`p=${next}\` in the DMARC record.${next === "reject" ? " If people write to mailing lists from this domain, quarantine is enough." : ""}`,
      // Rejecting is a choice, enforcing at all is advice.
      deduction: policy === "none" ? 2 : 0,
      evidence: `/domains/${domainId}`,
      fixAt: `/domains/${domainId}`,
      data: { ...dataOf(facts), dmarcRecommendedPolicy: next },
    },
  ]
}

function dataOf({
  domain,
  policy,
  days,
  observed,
  aligned,
  unknownMessages,
  unknownSources,
  failureRate7d,
}: DmarcStanding) {
  return {
    dmarcDomain: domain,
    dmarcCurrentPolicy: policy,
    dmarcReportingDays: days,
    dmarcObservedMessages: observed,
    dmarcAlignedMessages: aligned,
    dmarcUnknownMessages: unknownMessages,
    dmarcUnknownSources: unknownSources,
    dmarcAccountedRate: observed > 0 ? Math.max(0, 1 - unknownMessages / observed) : 0,
    dmarcAlignmentFailureRate7d: failureRate7d,
  }
}

/** Rounded down: 99.97 % is not all. */
function percentDown(share: number): string {
  return `${Math.floor(share * 1_000) / 10}%`
}
