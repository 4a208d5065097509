import { addedTo, countInWindows, takenOf } from "@/lib/access/limits/data"
import { rateLimited } from "@/lib/access/problems"
import type { Bucket } from "@/lib/platform/http/endpoint"
import type { RateCount, RateWindow, Taken } from "@/lib/platform/http/rate-count"
import { counter } from "@/lib/platform/metrics"

const refusals = counter("mailroom_rate_limit_refusals_total", "Requests over their bucket.", ["policy"])

/** When windows end that this process has seen full, by `performance.now()`. */
const fullUntil = new Map<string, number>()
/** Beyond, the window that was seen full first is forgotten: its next request is refused a little later. */
const fullWindowsMax = 10_000

/** One request in the bucket of `owner`, a key or a user. */
export class RequestCount implements RateCount {
  readonly policy: string
  due: RateWindow | null
  headers: Record<string, string> = {}
  private readonly window: RateWindow

  constructor(
    private readonly bucket: Bucket,
    owner: string,
  ) {
    const { policy, seconds, requests } = bucket
    this.window = { key: `${policy}:${owner}`, windowMs: seconds * 1000, requests }
    this.policy = policy
    this.due = this.window
  }

  /** Whether its window was full when this process saw it last, and has not ended since. */
  get isFull(): boolean {
    return (fullUntil.get(this.window.key) ?? 0) > performance.now()
  }

  async take(): Promise<void> {
    if (this.due) this.settle(await countRequest(this.due))
  }

  settle({ count, msToEnd }: Taken): void {
    const { policy, requests, seconds } = this.bucket
    const secondsToEnd = Math.max(1, Math.ceil(msToEnd / 1000))
    this.due = null
    this.headers = {
      "X-RateLimit-Limit": String(requests),
      "X-RateLimit-Remaining": String(Math.max(0, requests - count)),
      "X-RateLimit-Reset": String(secondsToEnd),
    }
    if (count >= requests) rememberFull(this.window.key, msToEnd)
    else fullUntil.delete(this.window.key)
    if (count <= requests) return
    refusals.inc({ policy })
    throw rateLimited(`${requests} requests in ${seconds} s are allowed here.`, {
      retryAfterSeconds: secondsToEnd,
      headers: this.headers,
    })
  }
}

function rememberFull(key: string, msToEnd: number) {
  fullUntil.delete(key)
  fullUntil.set(key, performance.now() + msToEnd)
  const [oldest] = fullUntil.keys()
  if (oldest !== undefined && fullUntil.size > fullWindowsMax) fullUntil.delete(oldest)
}

type Waiter = { window: RateWindow; resolve: (taken: Taken) => void; reject: (error: unknown) => void }

/** Statements of this process under way, and the requests that share one at most. */
const statementsMax = 2
const groupMax = 200

const waiting: Waiter[] = []
let underWay = 0
let scheduled: NodeJS.Immediate | undefined

/**
 * Adds one request to its window. Exact over all processes: one counter in the database. Waiting requests of this process share one
 * statement, whatever their window, and are counted in order.
 */
function countRequest(window: RateWindow): Promise<Taken> {
  return new Promise((resolve, reject) => {
    waiting.push({ window, resolve, reject })
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
    const windows = group.map(({ window }) => window)
    const taken = takenOf(windows, await countInWindows(addedTo(windows)))
    for (const [at, { resolve }] of group.entries()) resolve(taken[at] as Taken)
  } catch (error) {
    for (const { reject } of group) reject(error)
  }
}
