import { isUnavailable } from "@/lib/platform/database/sql-errors"
import { Rest, wake } from "@/lib/platform/jobs/quiet"
import { log } from "@/lib/platform/log"
import { gauge } from "@/lib/platform/metrics"

export type LeasedLoop<Row> = {
  name: string
  /**
   * Takes up to `limit` due rows in a short transaction: counts the attempt and moves the due time to the end of the
   * lease, so that the rows of a worker that dies come back by themselves. `slow` are the rows that have been worked on for more
   * than a second.
   */
  claim(limit: number, slow: readonly Row[]): Promise<Row[]>
  /**
   * Works on one row outside any transaction and finishes it with its attempt as fencing token. `signal` aborts when the
   * lease is lost or the time to drain is over. `isHeld` checks the clock: a process that was suspended for longer than
   * a lease finds out before it does anything that cannot be undone, and before the next heartbeat.
   */
  work(row: Row, signal: AbortSignal, isHeld: () => boolean): Promise<void>
  /** Extends the leases; returns the rows that are still held. */
  heartbeat(rows: readonly Row[]): Promise<readonly Row[]>
  leaseMs: number
  /** Between two claims that found nothing; then it rests until it is woken (`quiet.ts`). */
  intervalMs: number
  /** Rows held at once. */
  concurrency: number
  /**
   * Rows held at once while work is slow, so that new work does not wait behind many; without those that have taken more than a
   * second, so that new work does not wait for them either. Defaults to `concurrency`.
   */
  slowConcurrency?: number
  /** After a stop, running work is aborted once it has taken this long. */
  drainMs: number
  /** Stops claiming. */
  signal: AbortSignal
}

type Held = { controller: AbortController; since: number; until: number }

const heldGauge = gauge("mailroom_leased_work_held", "Rows that a process has leased and is working on.", ["loop"])

/** A neighbour's row that becomes due waits for about half of it while a loop is busy with others' rows. */
const holdMs = 250
const slowMs = 1_000
/** Sooner than the next heartbeat: whoever comes back first after an outage could claim what we still hold. */
const beatAgainMs = 1_000
const pauseMaxMs = 5_000

/**
 * The one way to work on due rows: claims while there is room, works on each, keeps the leases alive. Settles once the
 * signal has aborted and all running work has ended; never rejects.
 */
export async function runLeased<Row>(loop: LeasedLoop<Row>): Promise<void> {
  const running = new Map<Row, Held>()
  const { concurrency, slowConcurrency = concurrency } = loop
  const held = createLeaseRoom({ least: slowConcurrency, most: concurrency, horizonMs: holdMs })
  const rest = new Rest(loop.name, loop.signal)
  let failures = 0
  let drained = () => {}
  const beating = setInterval(() => void beat(), loop.leaseMs / 3)
  let beatingAgain: NodeJS.Timeout | undefined

  while (!loop.signal.aborted) {
    // Under load wait for room for several rows: claiming one at a time would cost a round trip each.
    if (room() < batch()) await rest.pause(loop.intervalMs)
    if (room() > 0 && !loop.signal.aborted) await claimOnce()
  }
  rest.close()
  await drain()
  clearInterval(beating)
  clearTimeout(beatingAgain)

  /** When a lease requested now ends, by this process's own clock. */
  function leaseEnd(): number {
    return performance.now() + loop.leaseMs
  }

  function room(): number {
    return Math.min(concurrency - running.size, held.size() + slowRows().length - running.size)
  }

  function slowRows(): Row[] {
    const slow: Row[] = []
    // The first ones have run longest.
    for (const [row, { since }] of running) {
      if (performance.now() - since < slowMs) break
      slow.push(row)
    }
    return slow
  }

  function batch(): number {
    return Math.ceil(held.size() / 4)
  }

  /** Rests if there was nothing. */
  async function claimOnce(): Promise<void> {
    rest.look()
    try {
      // During an outage leases may end whose work has not: they are extended before anything is claimed, or this process would
      // claim its own work a second time.
      if ((failures > 0 || missedBeat()) && !(await beatInTime()))
        throw new Error("The leases of running work could not be extended.")
      // Half of what may be held, so that work on some rows overlaps with the claim of others.
      const until = leaseEnd()
      const rows = await loop.claim(Math.min(room(), 2 * batch()), slowRows())
      failures = 0
      for (const row of rows) void start(row, until)
      if (rows.length === 0) await rest.rest(loop.intervalMs)
    } catch (error) {
      failures += 1
      log.error({ err: error, loop: loop.name, failures }, "due work could not be claimed")
      await rest.pause(Math.min(pauseMaxMs, loop.intervalMs * 2 ** failures))
    }
  }

  async function start(row: Row, until: number): Promise<void> {
    const lease: Held = { controller: new AbortController(), since: performance.now(), until }
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
      // What has ended may be work for others: an event, a retry, a place that is free.
      wake()
      if (room() >= batch()) rest.cut()
      if (running.size === 0) drained()
    }
  }

  /** Whether a lease has less left than regular heartbeats leave it. */
  function missedBeat(): boolean {
    const soon = performance.now() + loop.leaseMs / 2
    return [...running.values()].some(({ until }) => until < soon)
  }

  function beatInTime(): Promise<boolean> {
    const late = new Promise<boolean>((resolve) => setTimeout(resolve, loop.leaseMs, false).unref())
    return Promise.race([beat(), late])
  }

  /** Extends the leases of all running work; false if that failed. */
  async function beat(): Promise<boolean> {
    const rows = [...running.keys()]
    if (rows.length === 0) return true
    try {
      const until = leaseEnd()
      const held = new Set(await loop.heartbeat(rows))
      for (const row of rows) {
        const lease = running.get(row)
        if (lease && held.has(row)) lease.until = until
        else lease?.controller.abort()
      }
      return true
    } catch (error) {
      log.warn({ err: error, loop: loop.name }, "leases could not be extended")
      beatingAgain ??= setTimeout(
        () => {
          beatingAgain = undefined
          void beat()
        },
        Math.min(beatAgainMs, loop.leaseMs / 3),
      )
      return false
    }
  }

  async function drain(): Promise<void> {
    const deadline = setTimeout(() => running.forEach(({ controller }) => controller.abort()), loop.drainMs)
    if (running.size > 0) await new Promise<void>((resolve) => (drained = resolve))
    clearTimeout(deadline)
  }
}

export type RepeatedWork = {
  name: string
  /**
   * One round: true if there is more to do at once, "soon" if the next one comes after the interval, false if nothing was
   * found; then the loop rests until it is woken (`quiet.ts`).
   */
  round(): Promise<boolean | "soon">
  intervalMs: number
  /** The longest rest, where the usual one of a minute is too long. */
  restMs?: number
  failurePauseMaxMs?: number
  signal: AbortSignal
}

/** Repeats short rounds until the signal aborts; a round that fails is logged and comes again later. Never rejects. */
export async function runRepeatedly(work: RepeatedWork): Promise<void> {
  const { name, round, intervalMs, restMs, failurePauseMaxMs = 60_000, signal } = work
  const rest = new Rest(name, signal)
  let failures = 0
  while (!signal.aborted) {
    rest.look()
    try {
      const more = await round()
      failures = 0
      if (more !== false) wake()
      if (more === "soon") await rest.pause(intervalMs)
      else if (!more) await rest.rest(intervalMs, restMs)
    } catch (error) {
      failures += 1
      log.error({ err: error, loop: name, failures }, "a round of work failed")
      // The fault is not in this work: it goes on within seconds once the database is back.
      const longestMs = isUnavailable(error) ? Math.min(pauseMaxMs, failurePauseMaxMs) : failurePauseMaxMs
      await rest.pause(Math.min(longestMs, 250 * 2 ** failures))
    }
  }
  rest.close()
}

export type RoomOptions = {
  least: number
  most: number
  /** Holds no more rows than finish within this time at the current pace. */
  horizonMs: number
}

/** How many rows a loop may hold at once. */
export type LeaseRoom = {
  /** Reports that the work on a row has ended. */
  ended(): void
  size(): number
}

const measuredMs = 100

/**
 * Many rows while work is quick, so that its steps overlap; few while it is slow, so that newly due rows do not wait
 * behind those already held, and a process that dies leaves few behind.
 */
export function createLeaseRoom({ least, most, horizonMs }: RoomOptions, now = () => performance.now()): LeaseRoom {
  let since = now()
  let ended = 0
  let before = 0
  let size = least

  return {
    ended: () => void (ended += 1),
    size() {
      const passedMs = now() - since
      if (passedMs < measuredMs) return size
      const pace = (ended / passedMs) * horizonMs
      // The better of two measurements: a single pause of the database does not mean that work is slow.
      size = Math.round(Math.min(most, Math.max(least, pace, before)))
      before = pace
      ended = 0
      since += passedMs
      return size
    },
  }
}
