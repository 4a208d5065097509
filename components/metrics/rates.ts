import type { Tone } from "@/components/ui/pill"
import { rateJudgedFrom, judgesBounces, judgesComplaints } from "@/lib/metrics/rules"

/** The counts of a period, or of a part of its email. */
export type Figures = {
  sent: number
  delivered: number
  bounced: number
  complained: number
  opened: number
  clicked: number
  unsubscribed: number
  openedByAnyone?: number | undefined
  deferred?: number | undefined
  /** False if a relay reports nothing further of some of it, and of how many. */
  deliveryReported?: boolean | undefined
  deliveryNotReported?: number | undefined
}

type Delivery = Pick<Figures, "sent" | "delivered" | "deliveryReported">

/** What opens, clicks and complaints are a share of: delivered, or sent where delivery is not reported. */
export function reachedCount({ sent, delivered, deliveryReported }: Delivery): number {
  return deliveryReported === false ? sent : delivered
}

export function reachedWord({ deliveryReported }: Pick<Figures, "deliveryReported">): "sent" | "delivered" {
  return deliveryReported === false ? "sent" : "delivered"
}

export type JudgedRate = {
  name: "delivered" | "deferred" | "bounced" | "complained" | "opened" | "clicked" | "unsubscribed" | "unreported"
  label: string
  count: (figures: Figures) => number
  base: "sent" | "reached"
  /** It is known only of what is reported. */
  ofDelivery?: true
  /** Which way is good news. */
  wished: "more" | "less"
  /** From here on the share wants attention. */
  limit?: number
  means: string
}

export const rates: readonly JudgedRate[] = [
  {
    name: "delivered",
    label: "Delivered",
    count: ({ delivered }) => delivered,
    base: "sent",
    ofDelivery: true,
    wished: "more",
    means: "accepted by the recipient's server, of sent",
  },
  {
    name: "deferred",
    label: "Deferred",
    count: ({ deferred = 0 }) => deferred,
    base: "sent",
    ofDelivery: true,
    wished: "less",
    means: "delivered after another attempt, of sent",
  },
  {
    name: "bounced",
    label: "Hard bounces",
    count: ({ bounced }) => bounced,
    base: "sent",
    wished: "less",
    limit: 0.02,
    means: "no such address, of sent; keep below 2%",
  },
  {
    name: "complained",
    label: "Complained",
    count: ({ complained }) => complained,
    base: "reached",
    wished: "less",
    limit: 0.001,
    means: "spam reports, of delivered; keep below 0.1%",
  },
  {
    name: "opened",
    label: "Opened",
    count: ({ opened }) => opened,
    base: "reached",
    wished: "more",
    means: "by a person, once per recipient, of delivered",
  },
  {
    name: "clicked",
    label: "Clicked",
    count: ({ clicked }) => clicked,
    base: "reached",
    wished: "more",
    means: "by a person, once per recipient, of delivered",
  },
  {
    name: "unsubscribed",
    label: "Unsubscribed",
    count: ({ unsubscribed }) => unsubscribed,
    base: "reached",
    wished: "less",
    means: "by link or one click, of delivered",
  },
]

/** Beside the rates where delivery is not reported. */
const notReported: JudgedRate = {
  name: "unreported",
  label: "Delivery not reported",
  count: ({ deliveryNotReported = 0 }) => deliveryNotReported,
  base: "sent",
  wished: "less",
  means: "accepted by a relay that reports nothing further, of sent",
}

/** The rates of a period, and their definitions there. */
export function ratesFor(figures: Figures): JudgedRate[] {
  if (figures.deliveryReported !== false) return [...rates]
  return rates.flatMap((rate) => {
    const said = { ...rate, means: rate.means.replace("of delivered", "of sent") }
    return rate.name === "delivered" ? [said, notReported] : [said]
  })
}

/** What the project adds to its email by itself; a request may ask for more. */
export type Tracking = { openTracking: boolean; clickTracking: boolean }

/** Whether nobody could have been seen: that is not 0. Undefined settings are not known yet. */
export function isUntracked(
  { name }: Pick<JudgedRate, "name">,
  { opened, clicked, openedByAnyone = opened }: Pick<Figures, "opened" | "clicked" | "openedByAnyone">,
  tracking: Tracking | undefined,
): boolean {
  if (name === "opened") return tracking?.openTracking === false && openedByAnyone === 0
  return name === "clicked" && tracking?.clickTracking === false && clicked === 0
}

export function shareOf(rate: JudgedRate, figures: Figures): number | null {
  // What is known of a part alone would read as a share of all.
  if (rate.ofDelivery && figures.deliveryReported === false) return null
  const base = baseOf(rate, figures)
  return base > 0 ? Math.min(1, rate.count(figures) / base) : null
}

function baseOf({ base }: JudgedRate, figures: Figures): number {
  return base === "sent" ? figures.sent : reachedCount(figures)
}

export type Change = { points: number; tone: "good" | "warn" | null }

/** With fewer emails in the period before, each of them would be a jump of points. */
const comparedFrom = 50

/** The change in percentage points; a tone only where two proportions differ by more than chance (95 %). */
export function changeOf(rate: JudgedRate, now: Figures, before: Figures): Change | null {
  const [share, earlier] = [shareOf(rate, now), shareOf(rate, before)]
  if (share === null || earlier === null) return null
  const points = (share - earlier) * 100
  const [n, m] = [baseOf(rate, now), baseOf(rate, before)]
  if (m < comparedFrom) return null
  if (n < rateJudgedFrom.sent || m < rateJudgedFrom.sent) return { points, tone: null }
  const pooled = (share * n + earlier * m) / (n + m)
  const deviation = Math.sqrt(pooled * (1 - pooled) * (1 / n + 1 / m))
  if (deviation === 0 || Math.abs(share - earlier) / deviation < 1.96) return { points, tone: null }
  return { points, tone: points > 0 === (rate.wished === "more") ? "good" : "warn" }
}

/** Whether a share is at its limit or above, with enough email to say so. */
export function isOver(rate: JudgedRate, figures: Figures): boolean {
  const share = shareOf(rate, figures)
  if (rate.limit === undefined || share === null || share < rate.limit) return false
  const { sent, complained } = figures
  return rate.name === "complained"
    ? judgesComplaints({ reached: reachedCount(figures), complained })
    : judgesBounces({ sent })
}

export function shareText(share: number | null, digits = 2): string {
  return share === null ? "–" : `${(share * 100).toFixed(digits)}%`
}

export function pointsText(points: number): string {
  const text = Math.abs(points).toFixed(2)
  return text === "0.00" ? text : `${points > 0 ? "+" : "−"}${text}`
}

export function ratingTone(rating: string): Tone {
  if (rating === "Critical") return "bad"
  return rating === "Needs attention" ? "warn" : "good"
}
