import { bestRoute } from "@/lib/inbound/route-rules"
import { type KnownRoute, routedSince, routesOf } from "@/lib/inbound/route-store"
import { dayMs } from "@/lib/platform/time"

/** How a recipient at a route's address is answered; `unknown` where no route takes it. */
export type RouteAnswer = "stored" | "unknown" | "paused" | "busy" | "full"

export type RouteDirectory = {
  /** Whether mail to an address, in lower case, is taken now. Each question counts as a mail. */
  admit(address: string): Promise<RouteAnswer>
  /** The route of an address, in lower case, and nothing is counted. */
  find(address: string): Promise<KnownRoute | null>
}

/** Anybody may write to an address: what a route takes is limited. */
export const routeLimits = { mailsPerMinute: 60, bytesPerDay: 2 ** 30 }

const minuteMs = 60_000
/** A new route works, and a deleted one ends, after so long. */
const keptMs = 1_000
const keptMax = 10_000

/** Routes as the listener asks for them. Mails a minute are counted by each process, bytes a day from what is stored. */
export function createRouteDirectory({ limits = routeLimits, now = () => performance.now() } = {}): RouteDirectory {
  const routesAt = keptFor(keptMs, routesOf, now)
  const bytesToday = keptFor(
    10 * keptMs,
    async (id) => (await routedSince(id, new Date(Date.now() - dayMs))).bytes,
    now,
  )
  const windows = new Map<string, { since: number; mails: number }>()

  async function find(address: string): Promise<KnownRoute | null> {
    const at = address.lastIndexOf("@")
    if (at < 1) return null
    return bestRoute(await routesAt(address.slice(at + 1)), address.slice(0, at))
  }

  function isBusy(id: string): boolean {
    const known = windows.get(id)
    const window = known && now() - known.since < minuteMs ? known : { since: now(), mails: 0 }
    if (windows.size >= keptMax) windows.clear()
    windows.set(id, window)
    window.mails += 1
    return window.mails > limits.mailsPerMinute
  }

  return {
    find,
    async admit(address) {
      const route = await find(address)
      if (!route) return "unknown"
      if (!route.isLive) return "paused"
      if (isBusy(route.id)) return "busy"
      if (route.isFull) return "full"
      return (await bytesToday(route.id)) >= limits.bytesPerDay ? "full" : "stored"
    },
  }
}

/** Answers of a function, each believed for a while; a question that failed may be asked again at once. */
function keptFor<T>(ms: number, ask: (key: string) => Promise<T>, now: () => number): (key: string) => Promise<T> {
  const kept = new Map<string, { until: number; answer: Promise<T> }>()
  return (key) => {
    const known = kept.get(key)
    if (known && known.until > now()) return known.answer
    const answer = ask(key)
    if (kept.size >= keptMax) kept.clear()
    kept.set(key, { until: now() + ms, answer })
    answer.catch(() => kept.delete(key))
    return answer
  }
}
