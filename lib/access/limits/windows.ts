import type { RateWindow, Taken } from "@/lib/platform/http/rate-count"

/** What a statement adds to a window. */
export type Added = { key: string; points: number; windowMs: number; requests: number }
/** All that a window holds then, and the time to its end. */
export type Counted = { points: number; msToEnd: number }

/** What these requests add to their windows together, by key: in this order every statement locks them, so none waits for another in a circle. */
export function addedTo(windows: readonly RateWindow[]): Added[] {
  const added = new Map<string, Added>()
  for (const { key, windowMs, requests } of windows) {
    const known = added.get(key)
    if (known) known.points += 1
    else added.set(key, { key, points: 1, windowMs, requests })
  }
  return [...added.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** The count of each request, in their order, once a statement has added all of them. */
export function takenOf(windows: readonly RateWindow[], counted: ReadonlyMap<string, Counted>): Taken[] {
  const before = new Map(addedTo(windows).map(({ key, points }) => [key, (counted.get(key)?.points ?? 0) - points]))
  return windows.map(({ key }) => {
    const count = (before.get(key) ?? 0) + 1
    before.set(key, count)
    return { count, msToEnd: counted.get(key)?.msToEnd ?? 0 }
  })
}
