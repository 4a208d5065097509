import type { Hit } from "@/lib/tracking/hits/hit-rules"

/**
 * One reading of an email: by whom, from when (milliseconds), how long its image was held open, and how far down a mark was
 * loaded later than the email was opened.
 */
export type Reading = { client: string; from: number; ms?: number; depth?: number }

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
export function categoryOf(ms: number): ReadCategory {
  return secondsOfCategory.find(([, seconds]) => ms >= seconds * 1_000)?.[0] ?? "glanced"
}

/** As the API tells the longest reading: nothing where none was measured. */
export function readingFields(ms: number | null): { readTimeSeconds?: number; readCategory?: ReadCategory } {
  return ms === null ? {} : { readTimeSeconds: ms / 1_000, readCategory: categoryOf(ms) }
}

/** The readings with what a request of a person adds. */
export function withHit(readings: readonly Reading[], hit: Hit): Reading[] {
  const at = hit.at.getTime()
  const current = readings.findLast(({ client, from }) => client === hit.client && Math.abs(at - from) < sameReadingMs)
  const reading = current ?? { client: hit.client, from: at - (hit.heldMs ?? 0) }
  const next = changed(reading, hit)
  return [...readings.filter((other) => other !== current), next].slice(-readingsMax)
}

function changed(reading: Reading, hit: Hit): Reading {
  if (hit.kind === "read" && hit.heldMs !== null) return { ...reading, ms: Math.max(reading.ms ?? 0, hit.heldMs) }
  if (hit.kind === "mark" && hit.at.getTime() - reading.from >= scrolledAfterMs)
    return { ...reading, depth: Math.max(reading.depth ?? 0, hit.number) }
  return reading
}

/** The longest measured reading in milliseconds; null if none was measured. */
export function longestOf(readings: readonly Reading[]): number | null {
  const measured = readings.flatMap(({ ms }) => ms ?? [])
  return measured.length ? Math.max(...measured) : null
}

export const depths = [25, 50, 75, 100] as const

/** How many readings are known to have come so far down, and of how many that is known at all. */
export function depthsOf(readings: readonly Reading[]) {
  const reached = readings.flatMap(({ depth }) => depth ?? [])
  return {
    measured: reached.length,
    counts: depths.map((depth) => reached.filter((each) => each >= depth).length),
    max: reached.length ? Math.max(...reached) : null,
  }
}
