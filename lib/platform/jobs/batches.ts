import { setTimeout as wait } from "node:timers/promises"
import { isUnavailable } from "@/lib/platform/database/sql-errors"
import { log } from "@/lib/platform/log"

type BatchOptions<In = never> = {
  /** Items in one run. */
  max: number
  /** Bytes of an item, and of all items in one run: beyond, those behind wait for the next. One alone may have more. */
  bytes?: { of(item: In): number; max: number }
  /**
   * Least time between the starts of two runs, unless the next is full: under load runs are then few and large. A call
   * after a pause runs at once.
   */
  spacingMs?: number
  /** Runs under way at once; one if left out. */
  runsMax?: number
}

type Waiter<In, Out> = { item: In; resolve: (out: Out) => void; reject: (error: unknown) => void }

/**
 * Batches waiting calls into one call of `run`, by default one run at a time. `run` returns one result per item, in order. If a
 * batch fails, each item is retried alone, so one bad row never fails the others. An unreachable database fails them
 * all at once.
 */
export function batchWrites<In, Out>(
  run: (items: In[]) => Promise<Out[]>,
  { max, bytes, spacingMs = 0, runsMax = 1 }: BatchOptions<In>,
): (item: In) => Promise<Out> {
  const waiting: Waiter<In, Out>[] = []
  let underWay = 0
  let isScheduled = false
  let startedAt = -Infinity
  let full = () => {}

  async function serve(): Promise<void> {
    isScheduled = false
    if (underWay >= runsMax) return
    underWay += 1
    while (waiting.length > 0) {
      if (spacingMs > 0) await groupComplete()
      startedAt = performance.now()
      await serveGroup(waiting.splice(0, lengthOfRun()))
    }
    underWay -= 1
  }

  function lengthOfRun(): number {
    if (!bytes) return max
    let sum = 0
    const end = waiting.slice(0, max).findIndex(({ item }) => (sum += bytes.of(item)) > bytes.max)
    return end < 0 ? max : Math.max(1, end)
  }

  /** Waits until the batch is full or its time has come. */
  async function groupComplete(): Promise<void> {
    const waitMs = startedAt + spacingMs - performance.now()
    if (waiting.length >= max || waitMs <= 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs)
      full = () => (clearTimeout(timer), resolve())
    })
  }

  async function serveGroup(group: Waiter<In, Out>[]): Promise<void> {
    try {
      const outs = await run(group.map(({ item }) => item))
      group.forEach(({ resolve }, at) => resolve(outs[at] as Out))
    } catch (error) {
      if (group.length === 1 || isUnavailable(error)) group.forEach(({ reject }) => reject(error))
      else for (const waiter of group) await serveGroup([waiter])
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (waiting.length >= max) full()
      // In the next turn of the event loop, so that calls of this turn share a batch.
      if (isScheduled || underWay >= runsMax) return
      isScheduled = true
      setImmediate(() => void serve())
    })
}

const pauseMs = 250

/**
 * Writes how work outside of the database has ended, such as that a server took a message: what is not written is done a second
 * time. While the database takes no writes, it is tried again and again, until `signal` aborts: then the lease is lost or the
 * time to drain is over.
 */
export async function untilWritten<T>(write: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (!isUnavailable(error) || signal.aborted) throw error
      await wait(pauseMs)
    }
  }
}

type WriteBufferOptions = {
  /** What the items are, in the log. */
  name: string
  afterMs: number
  retryAfterMs: number
  /** Items in one write. */
  batchMax: number
  /** Items in memory while they cannot be written; beyond, the oldest are dropped. */
  waitingMax: number
}

/** Items that are written a moment later, off the path of what they are about. */
type WriteBuffer<Item> = {
  readonly length: number
  add(item: Item): void
  /** Writes what waits; also called when a process drains. Never rejects. */
  flush(): Promise<void>
}

export function createWriteBuffer<Item>(
  write: (items: Item[]) => Promise<void>,
  { name, afterMs, retryAfterMs, batchMax, waitingMax }: WriteBufferOptions,
): WriteBuffer<Item> {
  let waiting: Item[] = []
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> | undefined

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    await (flushing ??= flushAll().finally(() => (flushing = undefined)))
  }

  async function flushAll(): Promise<void> {
    while (waiting.length > 0) {
      const items = waiting.splice(0, batchMax)
      try {
        await write(items)
      } catch (error) {
        log.warn({ err: error, items: items.length }, `${name} could not be written; they are retried`)
        waiting = [...items, ...waiting].slice(-waitingMax)
        flushIn(retryAfterMs)
        return
      }
    }
  }

  function flushIn(ms: number): void {
    timer ??= setTimeout(() => void flush(), ms).unref()
  }

  return {
    get length() {
      return waiting.length
    },
    add(item) {
      waiting.push(item)
      flushIn(afterMs)
    },
    flush,
  }
}

/** Keys of one read at most. */
const keysMax = 100

type Read<Value> = { keys: Set<string>; done: Promise<ReadonlyMap<string, Value>> }

/**
 * Makes one read of what is asked for in the same iteration of the event loop, for each `group` (a project): under load most
 * requests then share a statement, and one alone waits for nothing. A read begins after all that share it have asked.
 */
export function sharedRead<Value>(
  read: (group: string, keys: string[]) => Promise<ReadonlyMap<string, Value>>,
): (group: string, key: string) => Promise<Value | null> {
  const waiting = new Map<string, Read<Value>>()

  return async (group, key) => {
    let shared = waiting.get(group)
    if (!shared || shared.keys.size >= keysMax) {
      shared = begin(group)
      waiting.set(group, shared)
    }
    shared.keys.add(key)
    return (await shared.done).get(key) ?? null
  }

  function begin(group: string): Read<Value> {
    const keys = new Set<string>()
    const done = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      if (waiting.get(group)?.keys === keys) waiting.delete(group)
      return read(group, [...keys])
    })
    return { keys, done }
  }
}
