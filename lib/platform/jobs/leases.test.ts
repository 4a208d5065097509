import { afterEach, describe, expect, test, vi } from "vitest"
import { runLeased, runRepeatedly, type LeasedLoop } from "@/lib/platform/jobs/leases"
import { log } from "@/lib/platform/log"

afterEach(() => {
  vi.restoreAllMocks()
})

/** A queue of numbers in memory, and a fast loop over it. */
function queueOf(count: number, changes: Partial<LeasedLoop<number>> = {}) {
  const due = Array.from({ length: count }, (_, at) => at)
  const done: number[] = []
  const stop = new AbortController()
  const loop: LeasedLoop<number> = {
    name: "test",
    claim: (limit) => Promise.resolve(due.splice(0, limit)),
    work: (row) => Promise.resolve(void done.push(row)),
    heartbeat: (rows) => Promise.resolve(rows),
    leaseMs: 30,
    intervalMs: 5,
    concurrency: 4,
    drainMs: 1_000,
    signal: stop.signal,
    ...changes,
  }
  return { due, done, stop, loop }
}

describe("a loop over leased rows", () => {
  test("works on everything that is due, and on no more rows at once than allowed", async () => {
    let running = 0
    let most = 0
    const { done, stop, loop } = queueOf(50, {
      async work(row) {
        most = Math.max(most, (running += 1))
        await new Promise((resolve) => setTimeout(resolve, 1))
        running -= 1
        done.push(row)
      },
    })
    const ended = runLeased(loop)
    await vi.waitFor(() => expect(done).toHaveLength(50))
    stop.abort()
    await ended
    expect(new Set(done).size).toBe(50)
    expect(most).toBe(4)
  })

  test("knows by the clock that a lease has ended, even if the heartbeat never returns", async () => {
    const held: boolean[] = []
    const { stop, loop } = queueOf(1, {
      heartbeat: () => new Promise(() => undefined),
      async work(_, __, isHeld) {
        held.push(isHeld())
        await new Promise((resolve) => setTimeout(resolve, 1_100))
        held.push(isHeld())
      },
      // Longer than a busy machine keeps a process from running.
      leaseMs: 1_000,
    })
    const running = runLeased(loop)
    await vi.waitFor(() => expect(held).toEqual([true, false]))
    stop.abort()
    await running
  })

  test("claims new rows while one hangs", async () => {
    const hanging = deferred()
    const { done, stop, loop } = queueOf(9, {
      work: async (row) => {
        if (row < 3) await hanging.promise
        done.push(row)
      },
    })
    const running = runLeased(loop)
    await vi.waitFor(() => expect(done).toHaveLength(6))
    hanging.resolve()
    stop.abort()
    await running
    expect(done).toHaveLength(9)
  })

  test("claims new rows beside as many that take long, up to all that it may hold, and tells which those are", async () => {
    const slow: number[][] = []
    const hanging = deferred()
    const { due, done, stop, loop } = queueOf(20, { concurrency: 6, slowConcurrency: 2 })
    const running = runLeased({
      ...loop,
      claim: (limit, rows) => {
        slow.push([...rows])
        return Promise.resolve(due.splice(0, limit))
      },
      work: async (row) => {
        if (row < 5) await hanging.promise
        done.push(row)
      },
    })
    await vi.waitFor(() => expect(done).toHaveLength(15), { timeout: 10_000 })
    expect(slow.at(0)).toEqual([])
    expect(slow.at(-1)).toEqual(expect.arrayContaining([0, 1, 2, 3]))
    hanging.resolve()
    stop.abort()
    await running
  })

  test("finishes running work when stopped, and claims nothing more", async () => {
    const gate = deferred()
    const { due, done, stop, loop } = queueOf(10, {
      work: async (row) => {
        await gate.promise
        done.push(row)
      },
    })
    const running = runLeased(loop)
    await vi.waitFor(() => expect(due).toHaveLength(6))
    stop.abort()
    gate.resolve()
    await running
    expect(done).toHaveLength(4)
    expect(due).toHaveLength(6)
  })

  test("aborts work that still runs when the time to drain is over", async () => {
    const { stop, loop } = queueOf(1, {
      drainMs: 10,
      work: (_, signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
    })
    const work = vi.fn(loop.work)
    const running = runLeased({ ...loop, work })
    await vi.waitFor(() => expect(work).toHaveBeenCalled())
    stop.abort()
    await running
  })

  test("extends the leases of running work, and aborts work whose lease is lost", async () => {
    const lost = deferred()
    const held = deferred()
    const beats: number[][] = []
    const { stop, loop } = queueOf(2, {
      heartbeat: (rows) => {
        beats.push([...rows])
        return Promise.resolve(rows.filter((row) => row !== 0))
      },
      work: async (row, signal) => {
        signal.addEventListener("abort", () => (row === 0 ? lost.resolve() : held.reject(new Error("aborted"))))
        await (row === 0 ? lost.promise : held.promise)
      },
    })
    const running = runLeased(loop)
    await lost.promise
    await vi.waitFor(() => expect(beats.at(-1)).toEqual([1]))
    held.resolve()
    stop.abort()
    await running
  })

  test("never claims its own work again: after an outage leases are extended before anything is claimed", async () => {
    vi.spyOn(log, "error").mockReturnValue()
    vi.spyOn(log, "warn").mockReturnValue()
    const leaseMs = 150
    let leaseEnds = 0
    let isDown = false
    let works = 0
    const gate = deferred()
    const { stop, loop } = queueOf(0, {
      leaseMs,
      // As the database: what is due is claimed, also by who holds it already.
      claim: () => {
        if (performance.now() < leaseEnds) return Promise.resolve([])
        leaseEnds = performance.now() + leaseMs
        return Promise.resolve([works])
      },
      heartbeat: (rows) => {
        if (isDown) return Promise.reject(new Error("no database"))
        leaseEnds = performance.now() + leaseMs
        return Promise.resolve(rows)
      },
      work: async () => {
        works += 1
        await gate.promise
      },
    })
    const running = runLeased(loop)
    await vi.waitFor(() => expect(works).toBe(1))
    for (let outage = 0; outage < 3; outage++) {
      isDown = true
      await new Promise((resolve) => setTimeout(resolve, 1.6 * leaseMs))
      isDown = false
      await new Promise((resolve) => setTimeout(resolve, 1.6 * leaseMs))
    }
    stop.abort()
    gate.resolve()
    await running
    expect(works).toBe(1)
  })

  test("survives failing claims and failing work", async () => {
    const errors = vi.spyOn(log, "error").mockReturnValue()
    let claims = 0
    const { due, done, stop, loop } = queueOf(3, {
      claim: (limit) =>
        (claims += 1) === 1 ? Promise.reject(new Error("unreachable")) : Promise.resolve(due.splice(0, limit)),
      work: (row) => (row === 0 ? Promise.reject(new Error("bad")) : Promise.resolve(void done.push(row))),
    })
    const running = runLeased(loop)
    await vi.waitFor(() => expect(done).toEqual([1, 2]))
    stop.abort()
    await running
    expect(errors).toHaveBeenCalledTimes(2)
  })
})

describe("repeated rounds", () => {
  test("follow at once while there is more, and continue after one fails", async () => {
    vi.spyOn(log, "error").mockReturnValue()
    const stop = new AbortController()
    const answers = [true, true, "fails", false]
    const round = vi.fn(() => {
      const answer = answers.shift()
      if (answer === "fails") return Promise.reject(new Error("unreachable"))
      if (answers.length === 0) stop.abort()
      return Promise.resolve(answer === true)
    })
    await runRepeatedly({ name: "test", round, intervalMs: 60_000, signal: stop.signal })
    expect(round).toHaveBeenCalledTimes(4)
  })
})

function deferred() {
  let resolve = () => {}
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<void>((settle, fail) => {
    resolve = settle
    reject = fail
  })
  return { promise, resolve, reject }
}
