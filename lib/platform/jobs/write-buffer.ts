import { log } from "@/lib/platform/log"

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
