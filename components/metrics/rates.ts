import type { Tone } from "@/components/ui/pill"

/** The counts of a period, or of a part of its email. */
export type Figures = {
  sent: number
  delivered: number
  bounced: number
  complained: number
  opened: number
  clicked: number
  unsubscribed: number
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
    label: "Delivered",
    count: ({ delivered }) => delivered,
    base: "sent",
    ofDelivery: true,
    wished: "more",
    means: "accepted by the recipient's server, of sent",
  },
  {
    label: "Deferred",
    count: ({ deferred = 0 }) => deferred,
    base: "sent",
    ofDelivery: true,
    wished: "less",
    means: "delivered after another attempt, of sent",
  },
  {
    label: "Bounced",
    count: ({ bounced }) => bounced,
    base: "sent",
    wished: "less",
    limit: 0.02,
    means: "no such address, of sent; keep below 2%",
  },
  {
    label: "Complained",
    count: ({ complained }) => complained,
    base: "reached",
    wished: "less",
    limit: 0.001,
    means: "spam reports, of delivered; keep below 0.1%",
  },
  {
    label: "Opened",
    count: ({ opened }) => opened,
    base: "reached",
    wished: "more",
    means: "by a person, once per recipient, of delivered",
  },
  {
    label: "Clicked",
    count: ({ clicked }) => clicked,
    base: "reached",
    wished: "more",
    means: "by a person, once per recipient, of delivered",
  },
  {
    label: "Unsubscribed",
    count: ({ unsubscribed }) => unsubscribed,
    base: "reached",
    wished: "less",
    means: "by link or one click, of delivered",
  },
]

/** Beside the rates where delivery is not reported. */
const notReported: JudgedRate = {
  label: "Not reported",
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
    return rate.label === "Delivered" ? [said, notReported] : [said]
  })
}

/** With fewer than this, a rate is not significant. */
export const rateJudgedFrom = 200

export function shareOf(rate: JudgedRate, figures: Figures): number | null {
  // Of nothing is known that it was delivered, which does not mean that nothing was.
  if (rate.ofDelivery && figures.deliveryReported === false && figures.delivered === 0) return null
  const base = baseOf(rate, figures)
  return base > 0 ? Math.min(1, rate.count(figures) / base) : null
}

function baseOf({ base }: JudgedRate, figures: Figures): number {
  return base === "sent" ? figures.sent : reachedCount(figures)
}

export type Change = { points: number; tone: "good" | "warn" | null }

/** The change in percentage points; a tone only where two proportions differ by more than chance (95 %). */
export function changeOf(rate: JudgedRate, now: Figures, before: Figures): Change | null {
  const [share, earlier] = [shareOf(rate, now), shareOf(rate, before)]
  if (share === null || earlier === null) return null
  // A report that is missing in one of them would read as a change.
  if (rate.ofDelivery && (now.deliveryReported === false || before.deliveryReported === false)) return null
  const points = (share - earlier) * 100
  const [n, m] = [baseOf(rate, now), baseOf(rate, before)]
  if (n < rateJudgedFrom || m < rateJudgedFrom) return { points, tone: null }
  const pooled = (share * n + earlier * m) / (n + m)
  const deviation = Math.sqrt(pooled * (1 - pooled) * (1 / n + 1 / m))
  if (deviation === 0 || Math.abs(share - earlier) / deviation < 1.96) return { points, tone: null }
  return { points, tone: points > 0 === (rate.wished === "more") ? "good" : "warn" }
}

/** Whether a share is at its limit or above, with enough email to say so. */
export function isOver(rate: JudgedRate, figures: Figures): boolean {
  const share = shareOf(rate, figures)
  if (rate.limit === undefined || share === null || baseOf(rate, figures) < rateJudgedFrom) return false
  return share >= rate.limit && (rate.label !== "Complained" || rate.count(figures) >= 3)
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
