import { rateWords } from "@/lib/access/system-mail/notice-messages"
import type { RateNotice } from "@/lib/access/system-mail/system-mail"
import {
  bounceBounds,
  complaintBounds,
  rateJudgedFrom,
  judgesBounces,
  judgesComplaints,
  type Counts,
  ratesOf,
  reachedOf,
  type Breakdown,
} from "@/lib/metrics/rules"
import { dmarcRules } from "@/lib/metrics/advisor/dmarc-rules"
import type { AdvisorFacts, AdvisorFinding } from "@/lib/metrics/advisor/finding-types"
import { countText, formatNumber, percentText } from "@/lib/platform/format"
import { dayMs } from "@/lib/platform/time"

/** Below these no rate is judged (protocol.md 31). */
const least = { ...rateJudgedFrom, unsubscribes: 3, sentADay: 500, opens: 200 }
const unsubscribeBound = 0.01
const spikeFactor = 3
const dormantDays = 30
const proxyBound = 0.3

type Month = Pick<AdvisorFacts, "month">

/** The rates by which providers judge a sender. */
const standingRules: readonly ((facts: Month) => AdvisorFinding[])[] = [complaints, bounces]

const rateRules: readonly ((facts: AdvisorFacts) => AdvisorFinding[])[] = [
  ...standingRules,
  unsubscribes,
  spike,
  dormancy,
  proxies,
]

/** What such a rate is a share of, in words. */
const reachedWord = (month: Counts) => `${reachedBaseOf(month)} email`

const reachedBaseOf = ({ unreported }: Counts) => (unreported > 0 ? "sent" : "delivered")

/** How much of what bounced, or was complained about. */
export function rateFactsOf(month: Counts, rate: RateNotice["rate"]) {
  return rate === "bounces"
    ? ({ rate, count: month.bounced, of: month.sent, base: "sent" } as const)
    : ({ rate, count: month.complained, of: reachedOf(month), base: reachedBaseOf(month) } as const)
}

/** Bounce and complaint rates that are critical, as the advisor shows them. */
export function criticalRates(facts: Month): AdvisorFinding[] {
  return standingRules.flatMap((rule) => rule(facts)).filter(({ severity }) => severity === "critical")
}

function complaints({ month }: Month): AdvisorFinding[] {
  const { complained } = month
  const delivered = reachedOf(month)
  const { complaintRate } = ratesOf(month)
  if (!judgesComplaints({ reached: delivered, complained }) || complaintRate < complaintBounds.warning) return []
  const critical = complaintRate >= complaintBounds.critical
  return [
    {
      code: critical ? "complaint_rate_critical" : "complaint_rate_high",
      severity: critical ? "critical" : "warning",
      ...rateWords(rateFactsOf(month, "complaints")),
      deduction: critical ? 30 : 12,
      evidence: "/emails?status=complained",
      fixAt: "/segments",
      data: { delivered, complaintRate },
    },
  ]
}

function bounces({ month }: Month): AdvisorFinding[] {
  const { sent, bounced } = month
  const { bounceRate } = ratesOf(month)
  if (!judgesBounces({ sent }) || bounceRate < bounceBounds.warning) return []
  const critical = bounceRate >= bounceBounds.critical
  return [
    {
      code: critical ? "bounce_rate_critical" : "bounce_rate_high",
      severity: critical ? "critical" : "warning",
      ...rateWords(rateFactsOf(month, "bounces")),
      deduction: critical ? 25 : 10,
      evidence: "/emails?status=bounced",
      fixAt: "/suppressions",
      data: { accepted: sent, bounced, bounceRate },
    },
  ]
}

function unsubscribes({ month }: AdvisorFacts): AdvisorFinding[] {
  const { unsubscribed } = month
  const delivered = reachedOf(month)
  const { unsubscribeRate } = ratesOf(month)
  if (delivered < least.delivered || unsubscribed < least.unsubscribes || unsubscribeRate < unsubscribeBound) return []
  return [
    {
      code: "unsubscribe_rate_high",
      severity: "warning",
      title: `${percentText(unsubscribeRate)} of recipients unsubscribed`,
      message: `${countText(unsubscribed, "person", "people")} of ${countText(delivered, reachedWord(month))} in 30 days. Above 1% people get what they did not expect; spam complaints follow.`,
      fix: "Send less often, and offer topics so that people can leave one kind of email and keep the others.",
      deduction: 5,
      evidence: "/suppressions?reason=unsubscribe",
      fixAt: "/topics",
      data: { delivered, unsubscribed, unsubRate: unsubscribeRate },
    },
  ]
}

function spike({ sent24h, dailyMean7d }: AdvisorFacts): AdvisorFinding[] {
  // Without earlier mail there is nothing to compare with.
  if (sent24h < least.sentADay || dailyMean7d <= 0 || sent24h <= spikeFactor * dailyMean7d) return []
  const mean = Math.round(dailyMean7d)
  return [
    {
      code: "volume_spike",
      severity: "warning",
      title: "You send far more than usual",
      message: `${countText(sent24h, "email")} in the last 24 hours, ${formatNumber(mean)} a day in the week before. Providers slow down senders whose volume jumps.`,
      fix: "Spread large sends over several days, and at most double the volume from one day to the next.",
      deduction: 5,
      evidence: "/metrics?window=7d",
      fixAt: "/settings",
      data: { accepted24h: sent24h, avgDailyAccepted7d: mean },
    },
  ]
}

function dormancy({ daysSinceLastSend }: AdvisorFacts): AdvisorFinding[] {
  if (daysSinceLastSend === null || daysSinceLastSend < dormantDays) return []
  return [
    {
      code: "dormant",
      severity: "info",
      title: `No email for ${daysSinceLastSend} days`,
      message:
        "Providers forget a sender after about 30 days without email. The first large send then looks like spam.",
      fix: "Start again with a few hundred emails to your most active people, and increase over two weeks.",
      deduction: 5,
      evidence: "/metrics?window=90d",
      fixAt: "/emails/compose",
      data: { daysSinceLastSend },
    },
  ]
}

/** About the figures rather than the mail, hence without a deduction. */
function proxies({ month }: AdvisorFacts): AdvisorFinding[] {
  const { anyOpens: totalOpens, opened } = month
  const delivered = reachedOf(month)
  const proxyOpens = Math.max(0, totalOpens - opened)
  const proxyRate = totalOpens > 0 ? proxyOpens / totalOpens : 0
  if (totalOpens < least.opens || delivered === 0 || proxyRate < proxyBound) return []
  const of = (part: number, base: number) => (base > 0 ? Math.min(1, part / base) : 0)
  const humanOpenRate = of(opened, delivered)
  return [
    {
      code: "proxy_inflated_opens",
      severity: "info",
      title: `${percentText(proxyRate)} of opens are machines`,
      message: `Apple Mail and security scanners opened ${countText(proxyOpens, "email")} that no person is known to have opened. People opened ${percentText(humanOpenRate)}; counting machines it would read ${percentText(of(totalOpens, delivered))}.`,
      fix: "Judge campaigns by clicks, and do not remove people only because no open is known.",
      deduction: 0,
      evidence: "/metrics?window=30d#opens",
      fixAt: "/metrics?window=30d#rates",
      data: {
        ...{ totalOpens, proxyOpens, proxyRate, humanOpenRate },
        reportedOpenRate: of(totalOpens, delivered),
        // Only recipients whose opens can be distinguished from a machine's.
        adjustedOpenRate: of(opened, delivered - proxyOpens),
      },
    },
  ]
}

const htmlOnlyBound = 0.1
const clippedBound = 0.01
const refusals = { least: 3, criticalShare: 0.02 }

const mailRules: readonly ((facts: AdvisorFacts) => AdvisorFinding[])[] = [refused, missingRecords, clipped, htmlOnly]

/** Refusals that concern us as a sender: sender address, authentication, Microsoft's verdicts (protocol.md 19). */
function refused({ month, refusals: by }: AdvisorFacts): AdvisorFinding[] {
  const { sent, refusedOurs } = month
  const [first] = by
  if (refusedOurs < refusals.least || !first) return []
  const critical = sent >= least.sent && refusedOurs / sent >= refusals.criticalShare
  const { code, domain, domainId } = first
  return [
    {
      code: "sender_refused",
      severity: critical ? "critical" : "warning",
      title: `Servers refuse ${domain} as a sender`,
      message: `${countText(refusedOurs, "email")} in 30 days ${refusedOurs === 1 ? "was" : "were"} refused because of the sender, not the recipient; most often with ${code}, ${meaningOf(code)}.`,
      fix: domainId
        ? `Check the DNS records of ${domain}, then ask the provider that refuses to lift the block.`
        : "Check the DNS records of the domain, then ask the provider that refuses to lift the block.",
      deduction: critical ? 20 : 8,
      evidence: `/emails?status=bounced${domainId ? `&domain=${domainId}` : ""}`,
      fixAt: domainId ? `/domains/${domainId}` : "/domains",
      data: { accepted: sent },
    },
  ]
}

/** RFC 7372, RFC 8617 and RFC 3463; Microsoft's own ranges. */
function meaningOf(code: string): string {
  if (/^5\.1\.[78]$/.test(code)) return "the sender's address is not accepted"
  if (/^5\.7\.2[0-2]$/.test(code)) return "DKIM did not pass"
  if (/^5\.7\.2[34]$/.test(code)) return "SPF did not pass"
  if (code === "5.7.25") return "the sending address has no matching reverse DNS"
  if (code === "5.7.26") return "neither SPF nor DKIM passed for the domain"
  if (code === "5.7.27") return "the sender's domain accepts no email"
  if (/^5\.7\.[56]\d\d$/.test(code)) return "Microsoft blocks the sender"
  return "the sender is not accepted"
}

function missingRecords({ withoutRecords }: AdvisorFacts): AdvisorFinding[] {
  return withoutRecords.map(({ id, domain, failed }) => ({
    ...(failed ? cannotSend(domain) : recordsMissing(domain)),
    evidence: `/domains/${id}`,
    fixAt: `/domains/${id}`,
    data: {},
  }))
}

const recordsMissing = (domain: string) => ({
  code: "domain_records_missing",
  severity: "warning" as const,
  title: `DNS records of ${domain} are missing`,
  message:
    "The last check did not find all required records. Email from this domain is refused here 72 hours after the records went missing.",
  fix: "Publish the records again. The domain recovers by itself.",
  deduction: 8,
})

const cannotSend = (domain: string) => ({
  code: "domain_cannot_send",
  severity: "critical" as const,
  title: `${domain} cannot send`,
  message: "Its required records have been missing for 72 hours, so email from this domain is refused here.",
  fix: "Publish the records, then verify the domain again.",
  deduction: 20,
})

function clipped({ month, clippedEmailId }: AdvisorFacts): AdvisorFinding[] {
  const { sent, clipped: large } = month
  if (sent < least.sent || large / sent < clippedBound) return []
  return [
    {
      code: "body_too_large",
      severity: "warning",
      title: "Gmail cuts off your email",
      message: `${countText(large, "email")} in 30 days had more than 102 kB of HTML. Gmail shows the first 102 kB: the unsubscribe link and the end of the message are hidden.`,
      fix: "Link to images and style sheets instead of embedding them, and shorten long lists.",
      deduction: 4,
      evidence: clippedEmailId ? `/emails/${clippedEmailId}` : "/emails",
      fixAt: "/emails/compose",
      data: { accepted: sent },
    },
  ]
}

function htmlOnly({ month, htmlOnlyEmailId }: AdvisorFacts): AdvisorFinding[] {
  const { sent, htmlOnly: without } = month
  if (sent < least.sent || without / sent < htmlOnlyBound) return []
  return [
    {
      code: "text_part_missing",
      severity: "info",
      title: `${percentText(without / sent)} of your emails have no text part`,
      message: `${countText(without, "email")} in 30 days had HTML alone. Filters count a missing text part against a sender, and some mail programs show nothing.`,
      fix: "Send `text` beside `html`: the same message in plain words, with its links.",
      deduction: 3,
      evidence: htmlOnlyEmailId ? `/emails/${htmlOnlyEmailId}` : "/emails",
      fixAt: "/emails/compose",
      data: { accepted: sent },
    },
  ]
}

/** All that the advisor judges. Each rule is silent where there is too little to judge by. */
const rules: readonly ((facts: AdvisorFacts) => AdvisorFinding[])[] = [...rateRules, ...mailRules, ...dmarcRules]

/** What to improve, the heaviest first. */
export function adviceOf(facts: AdvisorFacts): AdvisorFinding[] {
  return rules.flatMap((rule) => rule(facts)).toSorted((a, b) => b.deduction - a.deduction)
}

/** 100 minus what the findings deduct, never below 0. */
export function advisorScoreOf(findings: readonly Pick<AdvisorFinding, "deduction">[]): number {
  return Math.max(0, 100 - findings.reduce((sum, { deduction }) => sum + deduction, 0))
}

export const ratings = ["Healthy", "Good", "Needs attention", "Critical"] as const
type Rating = (typeof ratings)[number]

export function ratingOf(score: number): Rating {
  if (score >= 90) return "Healthy"
  if (score >= 75) return "Good"
  return score >= 50 ? "Needs attention" : "Critical"
}

/** Emails of the last 30 days below which a score says little. */
export const emailsForScore = 500

/** A notification about a rate: when it was sent, and when the rate was no longer critical. */
export type RateTold = { toldAt: Date; recoveredAt: Date | null }

/** At most one notice about a rate in this time. */
export const quietMs = 7 * dayMs

/** Whether to notify of a critical rate: the first time, then only if it has recovered since and a week has passed. */
export function mayTell(last: RateTold | undefined, now: Date): boolean {
  return !last || (last.recoveredAt !== null && now.getTime() - last.toldAt.getTime() >= quietMs)
}

/** Email of one topic, tag, sender or provider: how much of it there was, and how much of that bounced or was complained about. */
export type Part = { by: Breakdown; key: string; count: number; of: number }

/** A part is a cause if it has this share of what is counted, and this many times its share of the email. */
const causeFrom = { share: 0.3, lift: 1.25 }

/** The part with the most beyond what the average would give it: the part with the most email alone explains nothing. */
export function largestCause(parts: readonly Part[], total: { count: number; of: number }): Part | null {
  const average = total.of > 0 ? total.count / total.of : 0
  const excess = ({ count, of }: Part) => count - average * of
  const causes = parts.filter(
    ({ count, of }) => count > 0 && count >= causeFrom.share * total.count && count >= causeFrom.lift * average * of,
  )
  return causes.reduce<Part | null>((best, part) => (best && excess(best) >= excess(part) ? best : part), null)
}
