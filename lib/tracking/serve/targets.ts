import { batchWrites } from "@/lib/delivery/queue/batch-writes"
import { findTargets, type Target } from "@/lib/tracking/serve/target-sql"

/** A suspended project's links stop within this time. */
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
  if (cached && performance.now() - cached.readAt < freshMs) return cached.target
  try {
    const target = await read({ deliveryId, number })
    known.delete(key)
    known.set(key, { target, readAt: performance.now() })
    if (known.size > targetsMax) known.delete(known.keys().next().value ?? "")
    return target
  } catch (error) {
    if (cached?.target) return cached.target
    throw error
  }
}
