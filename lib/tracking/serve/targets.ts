import { batchWrites } from "@/lib/platform/jobs/batch-writes"
import { findTargets, type Target } from "@/lib/tracking/data"

/** A suspended project's links stop within this time; those that nobody waits for are read again in the background. */
const staleMs = 30_000
const freshMs = 5_000

/** While the database cannot be read, links that were followed lately keep working. */
const targetsMax = 20_000

type Known = { target: Target | null; readAt: number }

const known = new Map<string, Known>()

/** Requests of a moment share one query. */
const read = batchWrites(findTargets, { max: 200 })

/** Where a link of a delivery leads, out of memory if it was asked for a moment ago; null if there is no such link. */
export async function targetOf(deliveryId: string, number: number): Promise<Target | null> {
  const key = `${deliveryId}${number}`
  const cached = known.get(key)
  const ageMs = cached ? performance.now() - cached.readAt : Infinity
  if (cached && ageMs < freshMs) return cached.target
  const reading = refresh(key, deliveryId, number)
  if (cached && ageMs < staleMs) {
    reading.catch(() => undefined)
    return cached.target
  }
  try {
    return await reading
  } catch (error) {
    if (cached?.target) return cached.target
    throw error
  }
}

const underWay = new Map<string, Promise<Target | null>>()

/** Requests for one link that come at the same time read it once. */
function refresh(key: string, deliveryId: string, number: number): Promise<Target | null> {
  const running = underWay.get(key)
  if (running) return running
  const reading = read({ deliveryId, number }).then((target) => {
    known.delete(key)
    known.set(key, { target, readAt: performance.now() })
    if (known.size > targetsMax) known.delete(known.keys().next().value ?? "")
    return target
  })
  underWay.set(key, reading)
  reading.catch(() => undefined).finally(() => underWay.delete(key))
  return reading
}
