import type { Bucket } from "@/lib/platform/http/endpoint"
import { counter } from "@/lib/platform/metrics"
import { rateLimited } from "@/lib/access/problems"
import { countInWindows, type Counted, type Wanted } from "@/lib/access/limits/windows-sql"

const refusals = counter("mailroom_rate_limit_refusals_total", "Requests over their bucket.", ["policy"])

/**
 * Takes one request from the bucket of `owner` (a key or a user). Exact over all processes: one counter in the database.
 * Waiting requests of this process share one statement, whatever their bucket, and are counted in order.
 * @returns the X-RateLimit headers
 * @throws rateLimited with the seconds to the window's end
 */
export async function spend(bucket: Bucket, owner: string): Promise<Record<string, string>> {
  const { count, msToEnd } = await take(bucket, owner)
  const secondsToEnd = Math.max(1, Math.ceil(msToEnd / 1000))
  const headers = {
    "X-RateLimit-Limit": String(bucket.requests),
    "X-RateLimit-Remaining": String(Math.max(0, bucket.requests - count)),
    "X-RateLimit-Reset": String(secondsToEnd),
  }
  if (count <= bucket.requests) return headers
  refusals.inc({ policy: bucket.policy })
  throw rateLimited(`${bucket.requests} requests in ${bucket.seconds} s are allowed here.`, {
    retryAfterSeconds: secondsToEnd,
    headers,
  })
}

/** How many requests the window has counted with this one, and when it ends. */
type Taken = { count: number; msToEnd: number }
type Waiter = { key: string; windowMs: number; resolve: (taken: Taken) => void; reject: (error: unknown) => void }

/** Statements of this process under way, and the requests that share one at most. */
const statementsMax = 2
const groupMax = 200

const waiting: Waiter[] = []
let underWay = 0
let scheduled: NodeJS.Immediate | undefined

function take({ policy, seconds }: Bucket, owner: string): Promise<Taken> {
  return new Promise((resolve, reject) => {
    waiting.push({ key: `${policy}:${owner}`, windowMs: seconds * 1000, resolve, reject })
    // After the other requests of this event loop iteration: under load most requests then share a statement.
    if (!scheduled) scheduled = setImmediate(serve)
  })
}

function serve() {
  scheduled = undefined
  if (waiting.length && underWay < statementsMax) void serveWaiting()
}

async function serveWaiting() {
  underWay += 1
  while (waiting.length) await serveGroup(waiting.splice(0, groupMax))
  underWay -= 1
}

async function serveGroup(group: Waiter[]) {
  try {
    const windows = await countGroup(group)
    for (const { key, resolve } of group) {
      const window = windows.get(key) as Counted
      resolve({ count: (window.points += 1), msToEnd: window.msToEnd })
    }
  } catch (error) {
    for (const { reject } of group) reject(error)
  }
}

/** Adds a group's requests to their windows; the returned `points` are those before the group. */
async function countGroup(group: readonly Waiter[]): Promise<Map<string, Counted>> {
  const wanted = new Map<string, Wanted>()
  for (const { key, windowMs } of group) wanted.set(key, { points: (wanted.get(key)?.points ?? 0) + 1, windowMs })
  const windows = await countInWindows(wanted)
  for (const [key, window] of windows) window.points -= wanted.get(key)?.points ?? 0
  return windows
}
