import type { TrackingToken } from "@/lib/delivery/message/proven-ids"
import { clickWaitMs, storedAgent } from "@/lib/tracking/hits/rules"
import { addHits, type NewHit } from "@/lib/tracking/hits/data"
import { hmac } from "@/lib/platform/crypto"
import { newId } from "@/lib/platform/ids"
import { announceWork } from "@/lib/platform/jobs/notifications"
import { createWriteBuffer } from "@/lib/platform/jobs/batches"
import { counter } from "@/lib/platform/metrics"

/** Requests in memory at most; beyond this they are dropped and counted. */
const waitingMax = 20_000

/** Requests of one email that a process passes on in a minute; people need a few. */
const perMinuteMax = 60
const repeatMs = 1_000
const knownMax = 50_000

const dropped = counter(
  "mailroom_tracking_hits_dropped_total",
  "Requests for tracked images and links that were not recorded.",
  ["reason"],
)

export type Visitor = { ip: string; userAgent: string | undefined; head: boolean; host: string | null }

type Waiting = Omit<NewHit, "ageMs" | "waitMs"> & { notedAt: number }

const buffer = createWriteBuffer(writeHits, {
  ...{ name: "hits", afterMs: 250, retryAfterMs: 2_000, batchMax: 1_000, waitingMax },
})
const lastByClient = new Map<string, number>()
let minute = { startedAt: 0, byDelivery: new Map<string, number>() }

/** Notes a request, to be written with others in a moment, off the path of its response. */
export function noteHit(
  { kind, deliveryId, number }: TrackingToken,
  visitor: Visitor,
  heldMs: number | null = null,
): void {
  const client = hmac("tracking-client", `${visitor.ip}|${visitor.userAgent ?? ""}`).toString("hex", 0, 8)
  const now = performance.now()
  const reason = refusal(
    `${deliveryId}|${kind}${number}|${client}${visitor.head ? "|head" : ""}|${visitor.host ?? ""}`,
    deliveryId,
    now,
  )
  if (reason) return dropped.inc({ reason })
  buffer.add({
    ...{ id: newId(), deliveryId, kind, number, client, userAgent: storedAgent(visitor.userAgent) },
    ...{ head: visitor.head, heldMs, host: visitor.host, notedAt: now },
  })
}

/** Writes what waits; also called when a process drains. */
export const flushHits = buffer.flush

async function writeHits(hits: Waiting[]): Promise<void> {
  const now = performance.now()
  await addHits(hits.map(({ notedAt, ...hit }) => ({ ...hit, ageMs: Math.round(now - notedAt), waitMs: waitOf(hit) })))
  announceWork()
}

function waitOf({ kind }: Pick<NewHit, "kind">): number {
  return kind === "click" ? clickWaitMs : 0
}

function refusal(key: string, deliveryId: string, now: number): "repeat" | "flood" | "full" | null {
  const before = lastByClient.get(key)
  if (before !== undefined && now - before < repeatMs) return "repeat"
  if (now - minute.startedAt > 60_000) minute = { startedAt: now, byDelivery: new Map() }
  const count = minute.byDelivery.get(deliveryId) ?? 0
  if (count >= perMinuteMax) return "flood"
  if (buffer.length >= waitingMax) return "full"
  if (lastByClient.size >= knownMax) lastByClient.clear()
  lastByClient.set(key, now)
  minute.byDelivery.set(deliveryId, count + 1)
  return null
}
