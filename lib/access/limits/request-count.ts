import { addedTo, countInWindows, takenOf } from "@/lib/access/limits/data"
import { rateLimited } from "@/lib/access/problems"
import type { Bucket } from "@/lib/platform/http/endpoint"
import type { RateCount, RateWindow, Taken } from "@/lib/platform/http/rate-count"
import { batchWrites } from "@/lib/platform/jobs/batch-writes"
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

/**
 * Adds one request to its window. Exact over all processes: one counter in the database. Waiting requests of this process share one
 * statement, whatever their window, and are counted in order.
 */
const countRequest = batchWrites(
  async (windows: RateWindow[]) => takenOf(windows, await countInWindows(addedTo(windows))),
  { max: 200, runsMax: 2 },
)
