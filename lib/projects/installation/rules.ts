import { dayMs } from "@/lib/platform/time"

/** What was used of a disk at an instant, in bytes. */
export type DiskUse = { at: Date; usedBytes: number }

/** By a shorter time nothing is foretold: one large import would be growth. */
const judgedFromMs = dayMs
const rememberedMs = 7 * dayMs

/** The days until the disk is full at the rate since an earlier use; null while it does not grow, or nobody can say. */
export function daysLeft(before: DiskUse | null, now: DiskUse, freeBytes: number): number | null {
  if (!before) return null
  const passed = now.at.getTime() - before.at.getTime()
  const grown = now.usedBytes - before.usedBytes
  if (passed < judgedFromMs || grown <= 0) return null
  return Math.floor((freeBytes * passed) / grown / dayMs)
}

/**
 * What is remembered from now on; null if that stays as it is. An earlier use that is a week old moves half way along the line
 * to the one of now, so that growth is always that of some days.
 */
export function remembered(before: DiskUse | null, now: DiskUse): DiskUse | null {
  if (!before) return now
  if (now.at.getTime() - before.at.getTime() < rememberedMs) return null
  return {
    at: new Date((before.at.getTime() + now.at.getTime()) / 2),
    usedBytes: (before.usedBytes + now.usedBytes) / 2,
  }
}
