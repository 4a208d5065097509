import { pool } from "@/lib/platform/db"
import type { Bucket } from "@/lib/platform/endpoint"
import { counter } from "@/lib/platform/metrics"
import { rateLimited } from "@/lib/access/problems"

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
      const window = windows.get(key) as Window
      resolve({ place: (window.taken += 1), msToEnd: Math.max(0, window.endsAt - Date.now()) })
    }
  } catch (error) {
    for (const { reject } of group) reject(error)
  }
}

/** `taken` counts up to the last place of this group while its places are handed out. */
type Window = { taken: number; endsAt: number }

/**
 * Adds a group's requests to their windows, each of which begins with the first request after its end. The keys stand in
 * order, so that two processes never wait for each other.
 */
async function count(group: readonly Waiter[]): Promise<Map<string, Window>> {
  const now = Date.now()
  const wanted = new Map<string, { points: number; end: number }>()
  for (const { key, windowMs } of group) {
    wanted.set(key, { points: (wanted.get(key)?.points ?? 0) + 1, end: now + windowMs })
  }
  const keys = [...wanted.keys()].sort()
  const { rows } = await pool().query<{ key: string; points: number; expire: string }>({
    name: "access.spend",
    text: `INSERT INTO rate_windows AS kept (key, points, expire)
        SELECT * FROM unnest($1::text[], $2::int[], $3::bigint[])
      ON CONFLICT (key) DO UPDATE SET
        points = CASE WHEN kept.expire <= $4 THEN excluded.points ELSE kept.points + excluded.points END,
        expire = CASE WHEN kept.expire <= $4 THEN excluded.expire ELSE kept.expire END
      RETURNING key, points, expire`,
    values: [keys, keys.map((key) => wanted.get(key)?.points), keys.map((key) => wanted.get(key)?.end), now],
  })
  return new Map(
    rows.map(({ key, points, expire }) => [key, { taken: points - (wanted.get(key)?.points ?? 0), endsAt: Number(expire) }]),
  )
}
