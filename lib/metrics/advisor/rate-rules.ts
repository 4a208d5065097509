import { formatNumber } from "@/lib/platform/format"
import { bounceBounds, complaintBounds } from "@/lib/metrics/advisor/bound-rules"
import { countText, percentText } from "@/lib/metrics/advisor/words"
import type { Facts, Finding } from "@/lib/metrics/advisor/types"
import { ratesOf, reachedOf } from "@/lib/metrics/rules"

/** Below these no rate is judged (protocol.md 31). */
export const least = { sent: 200, delivered: 1_000, complaints: 3, unsubscribes: 3, sentADay: 500, opens: 200 }
export const unsubscribeBound = 0.01
export const spikeFactor = 3
export const dormantDays = 30
export const proxyBound = 0.3

type Month = Pick<Facts, "month">

/** The rates by which providers judge a sender. */
const standingRules: readonly ((facts: Month) => Finding[])[] = [complaints, bounces]

export const rateRules: readonly ((facts: Facts) => Finding[])[] = [
  ...standingRules,
  unsubscribes,
  spike,
  dormancy,
  proxies,
]

/** What such a rate is a share of, in words. */
const reachedWord = ({ unreported }: Facts["month"]) => (unreported > 0 ? "sent email" : "delivered email")

/** Bounce and complaint rates that are critical, as the advisor shows them. */
export function criticalRates(facts: Month): Finding[] {
  return standingRules.flatMap((rule) => rule(facts)).filter(({ severity }) => severity === "critical")
}

function complaints({ month }: Month): Finding[] {
  const { complained } = month
  const delivered = reachedOf(month)
  const { complaintRate } = ratesOf(month)
  if (delivered < least.delivered || complained < least.complaints || complaintRate < complaintBounds.warning) return []
  const critical = complaintRate >= complaintBounds.critical
  return [
    {
      code: critical ? "complaint_rate_critical" : "complaint_rate_high",
      severity: critical ? "critical" : "warning",
      title: `${percentText(complaintRate)} of recipients marked your email as spam`,
      message: `${countText(complained, "complaint")} about ${countText(delivered, reachedWord(month))} in 30 days. Providers expect less than 0.1% and filter or refuse above 0.3%.`,
      fix: "Write only to people who asked for it, stop writing to those who no longer open, and make leaving easy.",
      deduction: critical ? 30 : 12,
      evidence: "/emails?status=complained",
      fixAt: "/segments",
      data: { delivered, complaintRate },
    },
  ]
}

function bounces({ month }: Month): Finding[] {
  const { sent, bounced } = month
  const { bounceRate } = ratesOf(month)
  if (sent < least.sent || bounceRate < bounceBounds.warning) return []
  const critical = bounceRate >= bounceBounds.critical
  return [
    {
      code: critical ? "bounce_rate_critical" : "bounce_rate_high",
      severity: critical ? "critical" : "warning",
      title: `${percentText(bounceRate)} of your email bounced`,
      message: `${countText(bounced, "address", "addresses")} of ${countText(sent, "sent email")} in 30 days did not exist. Providers expect less than 2% and act above 5%.`,
      fix: "Find out where these addresses come from, confirm new ones by email, and suppress lists that you no longer use.",
      deduction: critical ? 25 : 10,
      evidence: "/emails?status=bounced",
      fixAt: "/suppressions",
      data: { accepted: sent, bounced, bounceRate },
    },
  ]
}

function unsubscribes({ month }: Facts): Finding[] {
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

function spike({ sent24h, dailyMean7d }: Facts): Finding[] {
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

function dormancy({ daysSinceLastSend }: Facts): Finding[] {
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
function proxies({ month }: Facts): Finding[] {
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
