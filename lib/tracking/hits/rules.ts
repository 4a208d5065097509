import { isbot } from "isbot"
import type { TrackingKind } from "@/lib/delivery/message/proven-ids"
import { isBeingSent, type ReadDelivery } from "@/lib/delivery/queue/feedback/data"
import { isSimulated } from "@/lib/emails/simulator"
import { isProxy } from "@/lib/tracking/hits/device-rules"

/** What is stored of the reading of an email. */
export type EmailEngagement = {
  humanEvents: number
  /** Of these, clicks. */
  humanClicks: number
  machineEvents: number
  readings: ImageReading[]
  readMs: number | null
  readAt: Date | null
  engagedAt: Date | null
  userAgent: string | null
}

/** Requests for one email: those to judge, and those about the same times. */
export type Case = {
  delivery: ReadDelivery
  /** When its attempts began, in order; none where no request came before the last one ended. */
  attemptedAt: readonly Date[]
  engagement: EmailEngagement
  urls: readonly string[]
  due: Hit[]
  around: (Hit & { isJudged: boolean })[]
}

export type Judged = {
  events: { type: "opened" | "clicked" | "read_engaged"; data: Record<string, string>; at: Date }[]
  status: "opened" | "clicked" | null
  /** When a person opened it for the first time. */
  firstOpenedAt: Date | null
  engagement: EmailEngagement
}

/** Decides what requests mean: pure. Judging the same requests in another order gives the same events. */
export function judgeHit({ delivery, attemptedAt, engagement, urls, due, around }: Case): Judged {
  const judged: Judged = { events: [], status: null, firstOpenedAt: null, engagement: { ...engagement } }
  // One that is not judged yet may turn out a repeat of one of these.
  const earlier = around.filter(({ isJudged }) => isJudged)
  const clicks = around.filter(({ kind }) => kind === "click")
  for (const hit of withoutRepeats(due, earlier)) {
    const machine = isMachine(hit, { sentAt: copySentAt(hit, delivery.sentAt, attemptedAt), clicks })
    if (hit.kind === "open" || hit.kind === "click") record(judged, hit, { machine, delivery, urls })
    if (!machine && !isProxy(hit.userAgent)) addReading(judged, hit, delivery)
  }
  return judged
}

/**
 * When the copy was sent that a request is for: at the end of the last attempt, during which scanners follow links. A request
 * before that attempt is for the copy of an earlier one, whose response was lost: it counts from when that one began.
 */
function copySentAt(hit: Hit, sentAt: Date | null, attemptedAt: readonly Date[]): Date | null {
  const begun = attemptedAt.filter((at) => at <= hit.at)
  return begun.length < attemptedAt.length ? (begun.at(-1) ?? sentAt) : sentAt
}

type About = { machine: boolean; delivery: ReadDelivery; urls: readonly string[] }

function record(judged: Judged, hit: Hit, { machine, delivery, urls }: About): void {
  const { engagement } = judged
  const url = hit.kind === "click" ? urls[hit.number] : undefined
  if (hit.kind === "click" && url === undefined) return
  if (machine ? engagement.machineEvents >= machineEventsMax : humanEventsOf(hit, engagement) >= humanEventsMax) return
  const type = hit.kind === "click" ? "clicked" : "opened"
  const data = { ...subjectOf(delivery), ...(url === undefined ? {} : { url }), ...makerOf(hit, machine) }
  judged.events.push({ type, data, at: hit.at })
  if (machine) {
    engagement.machineEvents += 1
    return
  }
  if (engagement.humanEvents === 0 && !judged.firstOpenedAt) judged.firstOpenedAt = hit.at
  engagement.humanEvents += 1
  if (hit.kind === "click") engagement.humanClicks += 1
  engagement.userAgent = hit.userAgent
  if (judged.status !== "clicked") judged.status = type
}

/** As many as are recorded of the kind of a request. */
function humanEventsOf({ kind }: Hit, { humanEvents, humanClicks }: EmailEngagement): number {
  return kind === "click" ? humanClicks : humanEvents - humanClicks
}

function addReading(judged: Judged, hit: Hit, delivery: ReadDelivery): void {
  if (hit.kind === "click") return
  const { engagement } = judged
  engagement.readings = withHit(engagement.readings, hit)
  if (hit.kind !== "read") return
  const longest = longestOf(engagement.readings)
  if (longest === null) return
  engagement.readMs = Math.max(engagement.readMs ?? 0, longest)
  engagement.readAt ??= hit.at
  engagement.userAgent ??= hit.userAgent
  if (engagement.engagedAt || categoryOf(engagement.readMs) !== "read") return
  engagement.engagedAt = hit.at
  const seconds = String(Math.round(engagement.readMs / 1_000))
  judged.events.push({ type: "read_engaged", data: { ...subjectOf(delivery), readTimeSeconds: seconds }, at: hit.at })
}

function subjectOf(delivery: ReadDelivery): Record<string, string> {
  const { address, subject, canonical } = delivery
  return { to: address, subject, ...(isSimulated(canonical) ? { simulator: "true" } : {}) }
}

/** Requests before the end of the sending wait for it, but not for ever. */
const waitMaxMs = 10 * 60_000

export function mustWait(delivery: ReadDelivery, hit: Hit, now: Date): boolean {
  return isBeingSent(delivery) && now.getTime() - hit.at.getTime() < waitMaxMs
}

/** A request for a tracked image or link. */
export type Hit = {
  id: string
  kind: TrackingKind
  /** Of the link, or the percentage of the mark. */
  number: number
  /** Tells clients apart. */
  client: string
  userAgent: string | null
  head: boolean
  /** How long a read image was held open. */
  heldMs: number | null
  at: Date
}

/** Nobody opens or clicks so soon after the email was sent. */
const openAfterMs = 2_000
const clickAfterMs = 10_000

/** Nobody follows so many links in so short a time. */
const burstLinks = 3
const burstMs = 2_000

/** Clicks are judged once a burst that they may belong to is over. */
export const clickWaitMs = burstMs + 500

/** The same client and link count once in this time. */
const repeatMs = 1_000

/** Requests that are further apart have nothing to do with each other. */
export const nearMs = Math.max(burstMs, repeatMs)

/** Events of one email, which a flood of requests must not pass: opens and clicks by people each, both by machines together. */
export const humanEventsMax = 100
export const machineEventsMax = 50

/**
 * Whether a machine made a request: by its user agent or method, by its haste after the email was sent, or because it
 * followed several links at once. `clicks` are those of the email around that time.
 */
function isMachine(hit: Hit, { sentAt, clicks }: { sentAt: Date | null; clicks: readonly Hit[] }): boolean {
  if (hit.head || isMachineAgent(hit.userAgent)) return true
  const sinceMs = sentAt === null ? Infinity : hit.at.getTime() - sentAt.getTime()
  if (sinceMs < (hit.kind === "click" ? clickAfterMs : openAfterMs)) return true
  return hit.kind === "click" && isInBurst(hit, clicks)
}

function isInBurst(hit: Hit, clicks: readonly Hit[]): boolean {
  const at = hit.at.getTime()
  const near = clicks.filter((other) => other.client === hit.client && Math.abs(other.at.getTime() - at) <= burstMs)
  return near.some(({ at: first }) => {
    const start = first.getTime()
    if (start > at || at > start + burstMs) return false
    const links = near.filter((other) => other.at.getTime() >= start && other.at.getTime() <= start + burstMs)
    return new Set(links.map(({ number }) => number)).size >= burstLinks
  })
}

/** The requests without repeats, in the order of their times; `earlier` have been counted before. */
function withoutRepeats(hits: readonly Hit[], earlier: readonly Hit[]): Hit[] {
  const counted = [...earlier]
  return hits
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .filter((hit) => {
      const repeats = counted.some(
        (other) =>
          other.kind === hit.kind &&
          other.number === hit.number &&
          other.client === hit.client &&
          other.head === hit.head &&
          Math.abs(hit.at.getTime() - other.at.getTime()) < repeatMs,
      )
      if (!repeats) counted.push(hit)
      return !repeats
    })
}

/** What is recorded of who made a request. */
function makerOf(hit: Hit, machine: boolean): Record<string, string> {
  return {
    ...(hit.userAgent === null ? {} : { userAgent: hit.userAgent }),
    ...(machine ? { machine: "true" } : {}),
    ...(isProxy(hit.userAgent) ? { proxied: "true" } : {}),
  }
}

/**
 * One reading of an email: by whom, from when (milliseconds), how long its image was held open, and how far down a mark was
 * loaded later than the email was opened.
 */
export type ImageReading = { client: string; from: number; ms?: number; depth?: number }

/** Remembered of one email: the latest. */
const readingsMax = 20

/** A request of the same client so long after the last reading began is a new one. */
const sameReadingMs = 30 * 60_000

/** A client that loads all images at once has loaded the marks by then, and tells nothing about scrolling. */
const scrolledAfterMs = 1_500

const secondsOfCategory = [
  ["read", 8],
  ["skimmed", 2],
  ["glanced", 0],
] as const

export type ReadCategory = (typeof secondsOfCategory)[number][0]

/** By the seconds of the longest reading, as the field divides them. */
function categoryOf(ms: number): ReadCategory {
  return secondsOfCategory.find(([, seconds]) => ms >= seconds * 1_000)?.[0] ?? "glanced"
}

/** As the API tells the longest reading: nothing where none was measured. */
export function readingFields(ms: number | null): { readTimeSeconds?: number; readCategory?: ReadCategory } {
  return ms === null ? {} : { readTimeSeconds: ms / 1_000, readCategory: categoryOf(ms) }
}

/** The readings with what a request of a person adds. */
function withHit(readings: readonly ImageReading[], hit: Hit): ImageReading[] {
  const at = hit.at.getTime()
  const current = readings.findLast(({ client, from }) => client === hit.client && Math.abs(at - from) < sameReadingMs)
  const reading = current ?? { client: hit.client, from: at - (hit.heldMs ?? 0) }
  const next = changed(reading, hit)
  return [...readings.filter((other) => other !== current), next].slice(-readingsMax)
}

function changed(reading: ImageReading, hit: Hit): ImageReading {
  if (hit.kind === "read" && hit.heldMs !== null) return { ...reading, ms: Math.max(reading.ms ?? 0, hit.heldMs) }
  if (hit.kind === "mark" && hit.at.getTime() - reading.from >= scrolledAfterMs)
    return { ...reading, depth: Math.max(reading.depth ?? 0, hit.number) }
  return reading
}

/** The longest measured reading in milliseconds; null if none was measured. */
function longestOf(readings: readonly ImageReading[]): number | null {
  const measured = readings.flatMap(({ ms }) => ms ?? [])
  return measured.length ? Math.max(...measured) : null
}

export const depths = [25, 50, 75, 100] as const

/** How many readings are known to have come so far down, and of how many that is known at all. */
export function depthsOf(readings: readonly ImageReading[]) {
  const reached = readings.flatMap(({ depth }) => depth ?? [])
  return {
    measured: reached.length,
    counts: depths.map((depth) => reached.filter((each) => each >= depth).length),
    max: reached.length ? Math.max(...reached) : null,
  }
}

const userAgentCharsMax = 300

/** A user agent as it is stored: printable, and cut. */
export function storedAgent(header: string | undefined): string | null {
  const text = (header ?? "").replace(/[^\x20-\x7e]+/g, " ").trim()
  return text.slice(0, userAgentCharsMax) || null
}

/**
 * Known scanners and robots; Apple's prefetch, which names itself a bare Mozilla/5.0; and what names itself nothing at all, which
 * no mail program and no browser does.
 */
export function isMachineAgent(userAgent: string | null): boolean {
  if (userAgent === null || userAgent === "Mozilla/5.0") return true
  return !isProxy(userAgent) && isbot(userAgent)
}
