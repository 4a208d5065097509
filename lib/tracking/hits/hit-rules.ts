import type { TrackingKind } from "@/lib/delivery/message/tracking-token"
import { isMachineAgent } from "@/lib/tracking/hits/agents"
import { isProxy } from "@/lib/tracking/hits/device-rules"

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

/** Events of one email, which a flood of requests must not pass; those of machines leave room for those of people. */
export const humanEventsMax = 100
export const machineEventsMax = 50

/**
 * Whether a machine made a request: by its user agent or method, by its haste after the email was sent, or because it
 * followed several links at once. `clicks` are those of the email around that time.
 */
export function isMachine(hit: Hit, { sentAt, clicks }: { sentAt: Date | null; clicks: readonly Hit[] }): boolean {
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
export function withoutRepeats(hits: readonly Hit[], earlier: readonly Hit[]): Hit[] {
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
export function makerOf(hit: Hit, machine: boolean): Record<string, string> {
  return {
    ...(hit.userAgent === null ? {} : { userAgent: hit.userAgent }),
    ...(machine ? { machine: "true" } : {}),
    ...(isProxy(hit.userAgent) ? { proxied: "true" } : {}),
  }
}
