/** What is counted of an hour: the counters of `MetricHour`, `TopicHour` and `MetricSlice`. */
export const counters = [
  "sent",
  "delivered",
  "bounced",
  "complained",
  "opened",
  "clicked",
  "unsubscribed",
  "failed",
  "delayed",
  "readEngaged",
  "machineOpens",
  "deferred",
  "anyOpens",
  "refusedOurs",
  "htmlOnly",
  "clipped",
  "unreported",
] as const

export type Counter = (typeof counters)[number]
export type Counts = Record<Counter, number>

export function noCounts(): Counts {
  return Object.fromEntries(counters.map((name) => [name, 0])) as Counts
}

export function sumOf(list: readonly Counts[]): Counts {
  const total = noCounts()
  for (const counts of list) for (const name of counters) total[name] += counts[name]
  return total
}

export type CountableEvent = {
  projectId: string
  emailId: string | null
  deliveryId: string | null
  type: string
  data: Record<string, string>
  occurredAt: Date
  seq: bigint
}

const counterByType = new Map<string, Counter>([
  ["complained", "complained"],
  ["clicked", "clicked"],
  ["unsubscribed", "unsubscribed"],
  ["delivery_delayed", "delayed"],
  ["read_engaged", "readEngaged"],
])

/**
 * What an event counts as, each once per recipient however often and in which order events arrive. Simulator mail never
 * counts, only hard bounces are bounces, and machines do not count among people. Any response of a server makes a delivery
 * sent; so does giving up.
 */
export function countersOf({ type, data }: Pick<CountableEvent, "type" | "data">): readonly Counter[] {
  if (data.simulator === "true") return []
  switch (type) {
    case "sent":
      return data.deliveryReported === "false" ? ["sent", "unreported"] : ["sent"]
    case "delivered":
      return ["sent", "delivered"]
    case "failed":
      return ["sent", "failed"]
    case "bounced":
      if (data.bounceType === "hard") return ["sent", "bounced"]
      return data.bounceType === "ours" ? ["sent", "refusedOurs"] : ["sent"]
    case "opened":
      return data.machine === "true" ? ["machineOpens", "anyOpens"] : ["opened", "anyOpens"]
  }
  const counter = counterByType.get(type)
  return counter && data.machine !== "true" ? [counter] : []
}

/** The types of which `countersOf` knows a counter. */
export const countableTypes = ["sent", "delivered", "failed", "bounced", "opened", ...counterByType.keys()]

export type Rates = {
  deliveryRate: number
  bounceRate: number
  openRate: number
  clickRate: number
  complaintRate: number
  readEngagementRate: number
  unsubscribeRate: number
}

/** Fractions from 0 to 1; what has no base is 0. */
export function ratesOf(counts: Counts): Rates {
  const base = reachedOf(counts)
  return {
    deliveryRate: fraction(counts.delivered, counts.sent),
    bounceRate: fraction(counts.bounced, counts.sent),
    openRate: fraction(counts.opened, base),
    clickRate: fraction(counts.clicked, base),
    complaintRate: fraction(counts.complained, base),
    readEngagementRate: fraction(counts.readEngaged, base),
    unsubscribeRate: fraction(counts.unsubscribed, base),
  }
}

/** What opens, clicks, complaints and unsubscribes are a share of: delivered, or sent where delivery is not reported of all. */
export function reachedOf(counts: Pick<Counts, "sent" | "delivered" | "unreported">): number {
  return counts.unreported > 0 ? counts.sent : counts.delivered
}

/** What was sent and of which nothing further is known. News that came nevertheless takes its part. */
export function notReportedOf(counts: Counts): number {
  const { sent, delivered, bounced, failed, refusedOurs, unreported } = counts
  return Math.max(0, Math.min(unreported, sent - delivered - bounced - failed - refusedOurs))
}

/** Whether delivery is reported of all that was sent, and of how many it is not. */
export function reportOf(counts: Counts) {
  return { deliveryReported: counts.unreported === 0, deliveryNotReported: notReportedOf(counts) }
}

/** News of mails sent before the window can outnumber its own base: a rate still ends at 1. */
function fraction(part: number, base: number): number {
  return base > 0 ? Math.min(1, part / base) : 0
}

/** Counts and rates as the API names them. */
export function figuresOf(counts: Counts) {
  const {
    delayed,
    machineOpens,
    anyOpens,
    refusedOurs: _refusedOurs,
    htmlOnly: _htmlOnly,
    clipped: _clipped,
    unreported: _unreported,
    ...named
  } = counts
  const more = { deliveryDelayed: delayed, machineOpens, openedByAnyone: anyOpens }
  return { ...named, ...reportOf(counts), ...ratesOf(counts), ...more }
}

/** The figures of one topic's mail as the API names them. */
export function topicFiguresOf(counts: Counts) {
  const { sent: totalEmails, delivered, bounced, complained, opened, clicked, unsubscribed, readEngaged } = counts
  const named = { totalEmails, delivered, bounced, complained, opened, clicked, unsubscribed, readEngaged }
  return { ...named, ...reportOf(counts), ...ratesOf(counts) }
}

/** 0 to 100, whole: by these rates, opens weigh 40, clicks 40 and reads 20. */
export function engagementScore({ openRate, clickRate, readEngagementRate }: Rates): number {
  return Math.round(40 * openRate + 40 * clickRate + 20 * readEngagementRate)
}
