import type { Bucket } from "@/lib/platform/http/endpoint"
import { counter } from "@/lib/platform/metrics"
import { rateLimited } from "@/lib/access/problems"
import { countInWindows, type Counted, type Wanted } from "@/lib/access/limits/windows-store"

const refusals = counter("mailroom_rate_limit_refusals_total", "Requests over their bucket.", ["policy"])

/**
 * Takes one place in the bucket of `holder` (a key or a person). Exact over all processes: one counter in the database.
 * Requests of this process that wait, for whichever bucket, share one statement, and get their places in order.
 * @returns the X-RateLimit headers
 * @throws rateLimited with the seconds to the window's end
 */
export async function spend(bucket: Bucket, holder: string): Promise<Record<string, string>> {
  const { place, msToEnd } = await takePlace(bucket, holder)
  const secondsToEnd = Math.max(1, Math.ceil(msToEnd / 1000))
  const headers = {
    "X-RateLimit-Limit": String(bucket.requests),
    "X-RateLimit-Remaining": String(Math.max(0, bucket.requests - place)),
    "X-RateLimit-Reset": String(secondsToEnd),
  }
  if (place <= bucket.requests) return headers
  refusals.inc({ policy: bucket.policy })
  throw rateLimited(`${bucket.requests} requests in ${bucket.seconds} s are allowed here.`, {
    retryAfterSeconds: secondsToEnd,
    headers,
  })
}

type Place = { place: number; msToEnd: number }
type Waiter = { key: string; windowMs: number; resolve: (place: Place) => void; reject: (error: unknown) => void }

/** Statements of this process under way, and the requests that share one at most. */
const STATEMENTS_MAX = 2
const GROUP_MAX = 200

const waiting: Waiter[] = []
let underWay = 0
let turn: NodeJS.Immediate | undefined

function takePlace({ policy, seconds }: Bucket, holder: string): Promise<Place> {
  return new Promise((resolve, reject) => {
    waiting.push({ key: `${policy}:${holder}`, windowMs: seconds * 1000, resolve, reject })
    // After what else has arrived in this turn of the loop: under load most requests then share a statement.
    if (!turn) turn = setImmediate(serveTurn)
  })
}

function serveTurn() {
  turn = undefined
  if (waiting.length && underWay < STATEMENTS_MAX) void serveWaiting()
}

async function serveWaiting() {
  underWay += 1
  while (waiting.length) await serveGroup(waiting.splice(0, GROUP_MAX))
  underWay -= 1
}

async function serveGroup(group: Waiter[]) {
  try {
    const windows = await count(group)
    for (const { key, resolve } of group) {
      const window = windows.get(key) as Counted
      resolve({ place: (window.points += 1), msToEnd: window.msToEnd })
    }
  } catch (error) {
    for (const { reject } of group) reject(error)
  }
}

/** Adds a group's requests to their windows. `points` are those before the group: its places are handed out in order. */
async function count(group: readonly Waiter[]): Promise<Map<string, Counted>> {
  const wanted = new Map<string, Wanted>()
  for (const { key, windowMs } of group) wanted.set(key, { points: (wanted.get(key)?.points ?? 0) + 1, windowMs })
  const windows = await countInWindows(wanted)
  for (const [key, window] of windows) window.points -= wanted.get(key)?.points ?? 0
  return windows
}
