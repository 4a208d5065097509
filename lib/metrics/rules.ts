import { addressDomain, isKnownProvider, providerKeyOf } from "@/lib/metrics/provider-rules"
import { dayMs, hourMs } from "@/lib/platform/time"

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
  "pending",
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
 * counts, and machines do not count among people. Any response of a server makes a delivery sent; so does giving up. What
 * became of it is its fate. A bounce that is taken back is news of that alone, and no delay.
 */
export function countersOf({ type, data }: Pick<CountableEvent, "type" | "data">): readonly Counter[] {
  if (data.simulator === "true" || newsOf({ type, data }) === "taken_back") return []
  if (fatefulTypes.includes(type)) return ["sent"]
  if (type === "opened") return data.machine === "true" ? ["machineOpens", "anyOpens"] : ["opened", "anyOpens"]
  const counter = counterByType.get(type)
  return counter && data.machine !== "true" ? [counter] : []
}

const fatefulTypes = ["sent", "delivered", "failed", "bounced"]

/** The types of which `countersOf` knows a counter. */
export const countableTypes = [...fatefulTypes, "opened", ...counterByType.keys()]

/**
 * What became of an email that was sent to a recipient. Each has exactly one, so that counts of them add up to `sent`;
 * `refused` has no counter, and is the rest: bounces that are neither hard nor about the sender.
 */
export type Fate =
  | Extract<Counter, "pending" | "unreported" | "delivered" | "bounced" | "refusedOurs" | "failed">
  | "refused"

/** What an event says about the fate; a relay that refused everybody takes a bounce back. */
export function newsOf({ type, data }: Pick<CountableEvent, "type" | "data">): Fate | "taken_back" | null {
  if (data.simulator === "true") return null
  switch (type) {
    case "sent":
      return data.deliveryReported === "false" ? "unreported" : "pending"
    case "delivered":
    case "failed":
      return type
    case "bounced":
      if (data.bounceType === "hard") return "bounced"
      return data.bounceType === "ours" ? "refusedOurs" : "refused"
    case "delivery_delayed":
      return data.reason === "bounce_taken_back" ? "taken_back" : null
  }
  return null
}

const certainty: Record<Fate, number> = {
  ...{ pending: 1, unreported: 2, delivered: 3 },
  ...{ bounced: 4, refusedOurs: 4, failed: 4, refused: 4 },
}

/** The fate after news, whatever the order in which events arrive: a server may accept an email and return it later. */
export function fateAfter(fate: Fate | null, news: Fate | "taken_back"): Fate | null {
  if (news === "taken_back") return fate !== null && fate !== "failed" && certainty[fate] === 4 ? "pending" : fate
  return fate === null || certainty[news] > certainty[fate] ? news : fate
}

type Rates = {
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

/** What was sent and of which nothing further is known. Earlier releases left news that came nevertheless in `unreported`. */
function notReportedOf(counts: Counts): number {
  return upTo(counts.unreported, notSettledOf(counts))
}

/** What was sent and of which a report is yet to come. */
function awaitedOf(counts: Counts): number {
  return upTo(counts.pending, notSettledOf(counts) - notReportedOf(counts))
}

function notSettledOf({ sent, delivered, bounced, failed, refusedOurs }: Counts): number {
  return sent - delivered - bounced - failed - refusedOurs
}

function upTo(count: number, most: number): number {
  return Math.max(0, Math.min(count, most))
}

/** Whether delivery is reported of all that was sent, of how many it is not, and of how many it is not yet. */
export function reportOf(counts: Counts) {
  return {
    deliveryReported: counts.unreported <= 0,
    deliveryNotReported: notReportedOf(counts),
    awaitingReport: awaitedOf(counts),
  }
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
    pending: _pending,
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

/** What mail can be broken down by; the API shows these. */
export const breakdowns = ["domain", "provider", "topic", "tag"] as const
export type Breakdown = (typeof breakdowns)[number]

/** Beside them, what the advisor points at: refusals by code and domain, and the first emails of a day with a fault. */
const findings = ["refusal", "clipped", "htmlOnly"] as const
export type FindingSlice = (typeof findings)[number]
/** Beside these, single broadcasts. */
export type Dimension = Breakdown | FindingSlice | "broadcast"
export const dimensions: readonly Dimension[] = [...breakdowns, ...findings, "broadcast"]

/** Rows of a breakdown that the API shows; the others are one sum. */
export const breakdownRowsMax = 50

/** Keys of a project on one day, first come; the rest is counted under one key without a name. */
const keysADayMax: Record<Dimension, number> = {
  ...{ domain: 200, provider: 200, topic: 200, tag: 200, broadcast: 1_000 },
  ...{ refusal: 50, clipped: 3, htmlOnly: 3 },
}

/** The key of everything that has no row of its own. */
export const otherKey = ""

/** Tags of one email that are counted, in alphabetical order. */
const tagsMax = 10
const keyCharsMax = 330

/** What is known of the mail and the recipient of an event. */
export type CountedMail = {
  emailId: string | null
  groupId: string | null
  fromHeader: string | null
  topicId: string | null
  broadcastId: string | null
  tags: Record<string, string> | null
  recipient: string | null
}

export type DimensionSlice = { dimension: Dimension; key: string }

/** The rows that count a mail; each email is in exactly one by domain and one by provider, so that they add up. */
export function slicesOf({ fromHeader, topicId, broadcastId, tags, recipient }: CountedMail): DimensionSlice[] {
  const tagged = Object.entries(tags ?? {}).map(([name, value]) => `${name}:${value}`)
  return [
    { dimension: "domain", key: fromHeader ? cut(addressDomain(fromHeader)) : otherKey },
    { dimension: "provider", key: recipient ? cut(providerKeyOf(recipient)) : otherKey },
    ...(topicId ? [{ dimension: "topic" as const, key: topicId }] : []),
    ...(broadcastId ? [{ dimension: "broadcast" as const, key: broadcastId }] : []),
    ...tagged
      .toSorted()
      .slice(0, tagsMax)
      .map((tag) => ({ dimension: "tag" as const, key: cut(tag) })),
  ]
}

const findingOf: Partial<Record<Counter, FindingSlice>> = {
  refusedOurs: "refusal",
  clipped: "clipped",
  htmlOnly: "htmlOnly",
}

/** Where the advisor finds the evidence of what a counter counts. */
export function evidenceOf(counter: Counter, mail: CountedMail, code: string | undefined): DimensionSlice | null {
  const dimension = findingOf[counter]
  if (!dimension) return null
  if (dimension === "refusal") return { dimension, key: cut(`${code ?? ""} ${addressDomain(mail.fromHeader ?? "")}`) }
  return { dimension, key: mail.groupId ?? mail.emailId ?? otherKey }
}

/** Whether a key may be added to those of its day. */
export function fits({ dimension, key }: DimensionSlice, keysOfDay: ReadonlySet<string>): boolean {
  if (key === otherKey || keysOfDay.has(key)) return true
  if (dimension === "provider" && isKnownProvider(key)) return true
  return keysOfDay.size < keysADayMax[dimension]
}

/** By characters: the database refuses half of one. */
function cut(key: string): string {
  return key.length <= keyCharsMax ? key : [...key].slice(0, keyCharsMax).join("")
}

/** The whole UTC hour that an instant lies in. */
export function hourOf(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / hourMs) * hourMs)
}

/** The whole UTC day that an instant lies in. */
export function dayOf(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / dayMs) * dayMs)
}

const windows = { "24h": 24, "7d": 7 * 24, "30d": 30 * 24, "90d": 90 * 24 } as const

type WindowLabel = keyof typeof windows
export const windowLabels = ["24h", "7d", "30d", "90d"] as const satisfies readonly WindowLabel[]

/** From the beginning of an hour up to, not including, an instant. */
export type Range = { from: Date; to: Date }
export type MetricWindow = Range & { label: WindowLabel | "custom" }

export const rangeDaysMax = 400
/** Longer ranges are given by day. */
export const hourlyDaysMax = 8

/** The window that ends now and begins with a whole hour, so that it is at least as long as its name. */
export function windowOf(label: WindowLabel, now: Date): MetricWindow {
  return { label, from: hourOf(new Date(now.getTime() - windows[label] * hourMs)), to: now }
}

export type RequestedWindow = { window: WindowLabel; from?: Date | undefined; to?: Date | undefined }
type RefusedWindow = { pointer: string; detail: string }

/** The window of a request: its name, or whole hours from `from` up to `to`, which ends now at the latest. */
export function askedWindow({ window, from, to }: RequestedWindow, now: Date): MetricWindow | RefusedWindow {
  if (!from && !to) return windowOf(window, now)
  if (!from) return { pointer: "query/from", detail: "Must be given where `to` is." }
  const end = !to || to > now ? now : new Date(Math.min(Math.ceil(to.getTime() / hourMs) * hourMs, now.getTime()))
  const start = hourOf(from)
  if (start >= end) return { pointer: "query/from", detail: "Must be before `to`, and in the past." }
  if (end.getTime() - start.getTime() > rangeDaysMax * dayMs) {
    return { pointer: "query/from", detail: `Must be at most ${rangeDaysMax} days before the end of the range.` }
  }
  return { label: "custom", from: start, to: end }
}

/** As long as that window in whole hours, and over when it begins. */
export function windowBefore({ label, from, to }: MetricWindow): Range {
  const hours = label === "custom" ? Math.ceil((to.getTime() - from.getTime()) / hourMs) : windows[label]
  return { from: new Date(from.getTime() - hours * hourMs), to: new Date(from.getTime() - 1) }
}

export const granularities = ["hour", "day"] as const

export type Granularity = (typeof granularities)[number]

/** How a window is divided if the request does not say. */
export function granularityOf({ label, from, to }: MetricWindow): Granularity {
  if (label !== "custom") return windows[label] <= 24 ? "hour" : "day"
  return to.getTime() - from.getTime() <= 2 * dayMs ? "hour" : "day"
}

/** Whether a range of one's own is too long for hours. */
export function tooLongForHours({ label, from, to }: MetricWindow): boolean {
  return label === "custom" && to.getTime() - from.getTime() > hourlyDaysMax * dayMs
}

/** The first instants of the UTC hours or days that a window touches, oldest first. */
export function bucketsOf({ from, to }: Range, granularity: Granularity): Date[] {
  const step = granularity === "hour" ? hourMs : dayMs
  const first = Math.floor(from.getTime() / step) * step
  const count = Math.ceil((to.getTime() - first) / step)
  return Array.from({ length: count }, (_, index) => new Date(first + index * step))
}

/** The whole days inside a range; its hours before and after them are read by hour. */
export function wholeDaysOf({ from, to }: Range): Range {
  const first = new Date(Math.ceil(from.getTime() / dayMs) * dayMs)
  const last = dayOf(to)
  return last < first ? { from: first, to: first } : { from: first, to: last }
}

/** Where mailbox providers begin to mind, and where they begin to refuse (protocol.md 31). */
export const complaintBounds = { warning: 0.001, critical: 0.003 }
export const bounceBounds = { warning: 0.02, critical: 0.05 }

/** On less no rate is judged (protocol.md 31). */
export const rateJudgedFrom = { sent: 200, delivered: 1_000, complaints: 3 }

type JudgedCounts = { sent: number; reached: number; complained: number }

/** Whether there is enough to judge how many bounced. */
export function judgesBounces({ sent }: Pick<JudgedCounts, "sent">): boolean {
  return sent >= rateJudgedFrom.sent
}

/** Whether there is enough to judge how many complained, of those that email reached. */
export function judgesComplaints({ reached, complained }: Omit<JudgedCounts, "sent">): boolean {
  return reached >= rateJudgedFrom.delivered && complained >= rateJudgedFrom.complaints
}
