import { createLeaseRoom } from "@/lib/platform/jobs/lease-room"
import { log } from "@/lib/platform/log"
import { gauge } from "@/lib/platform/metrics"

export type LeasedLoop<Row> = {
  name: string
  /**
   * Takes up to `limit` due rows in a short transaction: counts the attempt and moves the due time to the end of the
   * lease, so that the rows of a worker that dies come back by themselves.
   */
  claim(limit: number): Promise<Row[]>
  /**
   * Works on one row outside any transaction and finishes it with its attempt as fencing token. `signal` aborts when the
   * lease is lost or the time to drain is over. `isHeld` checks the clock: a process that was suspended for longer than
   * a lease finds out before it does anything that cannot be undone, and before the next heartbeat.
   */
  work(row: Row, signal: AbortSignal, isHeld: () => boolean): Promise<void>
  /** Extends the leases; returns the rows that are still held. */
  heartbeat(rows: readonly Row[]): Promise<readonly Row[]>
  leaseMs: number
  /** Polling interval while nothing is due. */
  intervalMs: number
  /** Rows held at once. */
  concurrency: number
  /** Rows held at once while work is slow, so that new work does not wait behind many. Defaults to `concurrency`. */
  slowConcurrency?: number
  /** After a stop, running work is aborted once it has taken this long. */
  drainMs: number
  /** Stops claiming. */
  signal: AbortSignal
}

type Held = { controller: AbortController; until: number }

const heldGauge = gauge("mailroom_leased_work_held", "Rows that a process has leased and is working on.", ["loop"])

const holdMs = 500
const pauseMaxMs = 5_000
const failurePauseMaxMs = 60_000

/**
 * The one way to work on due rows: claims while there is room, works on each, keeps the leases alive. Settles once the
 * signal has aborted and all running work has ended; never rejects.
 */
export async function runLeased<Row>(loop: LeasedLoop<Row>): Promise<void> {
  const running = new Map<Row, Held>()
  const { concurrency, slowConcurrency = concurrency } = loop
  const held = createLeaseRoom({ least: slowConcurrency, most: concurrency, horizonMs: holdMs })
  let wake = () => {}
  let failures = 0
  const stop = () => wake()
  loop.signal.addEventListener("abort", stop)
  const beating = setInterval(() => void beat(), loop.leaseMs / 3)

  while (!loop.signal.aborted) {
    // Under load wait for room for several rows: claiming one at a time would cost a round trip each.
    if (room() < batch()) await sleep(loop.intervalMs)
    if (room() > 0 && !loop.signal.aborted) await sleep(await claimOnce())
  }
  loop.signal.removeEventListener("abort", stop)
  await drain()
  clearInterval(beating)

  /** When a lease requested now ends, by this process's own clock. */
  function leaseEnd(): number {
    return performance.now() + loop.leaseMs
  }

  function room(): number {
    return held.size() - running.size
  }

  function batch(): number {
    return Math.ceil(held.size() / 4)
  }

  /** Returns how long to wait before the next claim. */
  async function claimOnce(): Promise<number> {
    try {
      // Half of what may be held, so that work on some rows overlaps with the claim of others.
      const until = leaseEnd()
      const rows = await loop.claim(Math.min(room(), 2 * batch()))
      failures = 0
      for (const row of rows) void start(row, until)
      return rows.length > 0 ? 0 : loop.intervalMs
    } catch (error) {
      failures += 1
      log.error({ err: error, loop: loop.name, failures }, "due work could not be claimed")
      return Math.min(pauseMaxMs, loop.intervalMs * 2 ** failures)
    }
  }

  async function start(row: Row, until: number): Promise<void> {
    const lease: Held = { controller: new AbortController(), until }
    running.set(row, lease)
    heldGauge.inc({ loop: loop.name })
    try {
      await loop.work(row, lease.controller.signal, () => performance.now() < lease.until)
    } catch (error) {
      log.error({ err: error, loop: loop.name }, "leased work failed; it is claimed again when its lease ends")
    } finally {
      running.delete(row)
      heldGauge.dec({ loop: loop.name })
      held.ended()
      if (room() >= batch() || loop.signal.aborted) wake()
    }
  }

  async function beat(): Promise<void> {
    const rows = [...running.keys()]
    if (rows.length === 0) return
    try {
      const until = leaseEnd()
      const held = new Set(await loop.heartbeat(rows))
      for (const row of rows) {
        const lease = running.get(row)
        if (lease && held.has(row)) lease.until = until
        else lease?.controller.abort()
      }
    } catch (error) {
      log.warn({ err: error, loop: loop.name }, "leases could not be extended")
    }
  }

  async function drain(): Promise<void> {
    const deadline = setTimeout(() => running.forEach(({ controller }) => controller.abort()), loop.drainMs)
    while (running.size > 0) await sleep(loop.leaseMs)
    clearTimeout(deadline)
  }

  /** Until the time is over, the loop is stopped, or there is room again. */
  function sleep(ms: number): Promise<void> {
    if (ms === 0) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(() => wake(), ms)
      wake = () => {
        clearTimeout(timer)
        wake = () => {}
        resolve()
      }
    })
  }
}

export type RepeatedWork = {
  name: string
  /** One round; true if there is more to do at once. */
  round(): Promise<boolean>
  intervalMs: number
  signal: AbortSignal
}

/** Repeats short rounds until the signal aborts; a round that fails is logged and comes again later. Never rejects. */
export async function runRepeatedly({ name, round, intervalMs, signal }: RepeatedWork): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    try {
      const more = await round()
      failures = 0
      if (!more) await pause(intervalMs, signal)
    } catch (error) {
      failures += 1
      log.error({ err: error, loop: name, failures }, "a round of work failed")
      await pause(Math.min(failurePauseMaxMs, 250 * 2 ** failures), signal)
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener("abort", done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener("abort", done)
    if (signal.aborted) done()
  })
}
