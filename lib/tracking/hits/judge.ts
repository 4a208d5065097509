import { isUnderWay, type ReadDelivery } from "@/lib/delivery/queue/engaged-sql"
import { isSimulated } from "@/lib/delivery/transports/simulator"
import {
  humanEventsMax,
  isMachine,
  machineEventsMax,
  makerOf,
  withoutRepeats,
  type Hit,
} from "@/lib/tracking/hits/hit-rules"
import { isProxy } from "@/lib/tracking/hits/device-rules"
import { categoryOf, longestOf, withHit, type Reading } from "@/lib/tracking/hits/reading-rules"

/** What is stored of the reading of an email. */
export type Engagement = {
  humanEvents: number
  machineEvents: number
  readings: Reading[]
  readMs: number | null
  readAt: Date | null
  engagedAt: Date | null
  userAgent: string | null
}

/** Requests for one email: those to judge, and those of the last minute. */
export type Case = {
  delivery: ReadDelivery
  engagement: Engagement
  urls: readonly string[]
  due: Hit[]
  around: Hit[]
}

export type Judged = {
  events: { type: "opened" | "clicked" | "read_engaged"; data: Record<string, string>; at: Date }[]
  status: "opened" | "clicked" | null
  /** When a person opened it for the first time. */
  firstOpenedAt: Date | null
  engagement: Engagement
}

/** Decides what requests mean: pure. Judging the same requests in another order gives the same events. */
export function judge({ delivery, engagement, urls, due, around }: Case): Judged {
  const judged: Judged = { events: [], status: null, firstOpenedAt: null, engagement: { ...engagement } }
  const pending = new Set(due.map(({ id }) => id))
  const earlier = around.filter(({ id }) => !pending.has(id))
  const clicks = around.filter(({ kind }) => kind === "click")
  for (const hit of withoutRepeats(due, earlier)) {
    const machine = isMachine(hit, { sentAt: delivery.sentAt, clicks })
    if (hit.kind === "open" || hit.kind === "click") record(judged, hit, { machine, delivery, urls })
    if (!machine && !isProxy(hit.userAgent)) addReading(judged, hit, delivery)
  }
  return judged
}

type About = { machine: boolean; delivery: ReadDelivery; urls: readonly string[] }

function record(judged: Judged, hit: Hit, { machine, delivery, urls }: About): void {
  const { engagement } = judged
  const url = hit.kind === "click" ? urls[hit.number] : undefined
  if (hit.kind === "click" && url === undefined) return
  if (machine ? engagement.machineEvents >= machineEventsMax : engagement.humanEvents >= humanEventsMax) return
  const type = hit.kind === "click" ? "clicked" : "opened"
  const data = { ...subjectOf(delivery), ...(url === undefined ? {} : { url }), ...makerOf(hit, machine) }
  judged.events.push({ type, data, at: hit.at })
  if (machine) {
    engagement.machineEvents += 1
    return
  }
  if (engagement.humanEvents === 0 && !judged.firstOpenedAt) judged.firstOpenedAt = hit.at
  engagement.humanEvents += 1
  engagement.userAgent = hit.userAgent
  if (judged.status !== "clicked") judged.status = type
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
  return isUnderWay(delivery) && now.getTime() - hit.at.getTime() < waitMaxMs
}
