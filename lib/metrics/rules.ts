/** What is counted of an hour: the counters of `MetricHour` and `TopicHour`. */
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
] as const

export type Counter = (typeof counters)[number]
export type Counts = Record<Counter, number>

export function noCounts(): Counts {
  return Object.fromEntries(counters.map((name) => [name, 0])) as Counts
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
  ["sent", "sent"],
  ["delivered", "delivered"],
  ["bounced", "bounced"],
  ["complained", "complained"],
  ["opened", "opened"],
  ["clicked", "clicked"],
  ["unsubscribed", "unsubscribed"],
  ["failed", "failed"],
  ["delivery_delayed", "delayed"],
  ["read_engaged", "readEngaged"],
])

/**
 * The counter that an event raises by one, or null. Simulator mail never counts, only hard bounces are bounces, and
 * machines do not count among people.
 */
export function counterOf({ type, data }: Pick<CountableEvent, "type" | "data">): Counter | null {
  if (data.simulator === "true") return null
  if (type === "bounced") return data.bounceType === "hard" ? "bounced" : null
  if (data.machine === "true") return type === "opened" ? "machineOpens" : null
  return counterByType.get(type) ?? null
}

/**
 * True for the end of a delivery that was refused for good or given up: it counts as sent, unless an earlier response to
 * the same delivery has counted already.
 */
export function endsDelivery({ type, data }: Pick<CountableEvent, "type" | "data">): boolean {
  return data.simulator !== "true" && (type === "bounced" || type === "failed")
}

/** Counted once a recipient, however often it happens. */
export function countsOnce(counter: Counter): boolean {
  return ["complained", "opened", "clicked", "unsubscribed", "readEngaged", "machineOpens"].includes(counter)
}

const hourMs = 3_600_000

/** The whole UTC hour that an instant lies in. */
export function hourOf(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / hourMs) * hourMs)
}

export const windows = { "24h": 24, "7d": 7 * 24, "30d": 30 * 24, "90d": 90 * 24 } as const
export type WindowLabel = keyof typeof windows
export const windowLabels = ["24h", "7d", "30d", "90d"] as const satisfies readonly WindowLabel[]

/** The window that ends now and begins with a whole hour, so that it is at least as long as its name. */
export function windowOf(label: WindowLabel, now: Date): { label: WindowLabel; from: Date; to: Date } {
  return { label, from: hourOf(new Date(now.getTime() - windows[label] * hourMs)), to: now }
}

/** As long as that window, and over when it begins. */
export function windowBefore({ label, from }: { label: WindowLabel; from: Date }): { from: Date; to: Date } {
  return { from: new Date(from.getTime() - windows[label] * hourMs), to: new Date(from.getTime() - 1) }
}

export type Granularity = "hour" | "day"

/** The first instants of the UTC hours or days that a window touches, oldest first. */
export function bucketsOf({ from, to }: { from: Date; to: Date }, granularity: Granularity): Date[] {
  const step = granularity === "hour" ? hourMs : 24 * hourMs
  const first = Math.floor(from.getTime() / step) * step
  const count = Math.floor((to.getTime() - first) / step) + 1
  return Array.from({ length: count }, (_, index) => new Date(first + index * step))
}

export type Rates = {
  deliveryRate: number
  bounceRate: number
  openRate: number
  clickRate: number
  complaintRate: number
  readEngagementRate: number
}

/** Fractions from 0 to 1; what has no base is 0. */
export function ratesOf(counts: Counts): Rates {
  return {
    deliveryRate: fraction(counts.delivered, counts.sent),
    bounceRate: fraction(counts.bounced, counts.sent),
    openRate: fraction(counts.opened, counts.delivered),
    clickRate: fraction(counts.clicked, counts.delivered),
    complaintRate: fraction(counts.complained, counts.delivered),
    readEngagementRate: fraction(counts.readEngaged, counts.delivered),
  }
}

/** News of mails sent before the window can outnumber its own base: a rate still ends at 1. */
function fraction(part: number, base: number): number {
  return base > 0 ? Math.min(1, part / base) : 0
}

/** Counts and rates as the API names them. */
export function figuresOf(counts: Counts) {
  const { delayed: _delayed, machineOpens: _machineOpens, ...figures } = counts
  return { ...figures, ...ratesOf(counts) }
}

/** The figures of one topic's mail as the API names them. */
export function topicFiguresOf(counts: Counts) {
  const { sent: totalEmails, failed: _failed, ...figures } = figuresOf(counts)
  return { totalEmails, ...figures, unsubscribeRate: fraction(counts.unsubscribed, counts.delivered) }
}

/** 0 to 100, whole: of what was delivered, opens weigh 40, clicks 40 and reads 20. */
export function engagementScore({ openRate, clickRate, readEngagementRate }: Rates): number {
  return Math.round(40 * openRate + 40 * clickRate + 20 * readEngagementRate)
}
