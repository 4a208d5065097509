const windowMs = 60_000

/** How often something may happen in a minute, counted in the memory of this process. */
export type MemoryLimit = {
  /** Counts one; the result is 0, or in how many ms the limit of this key begins anew. */
  take(key: string): number
}

/**
 * A window begins with the first call of its key. Windows that have ended are forgotten once a minute, so that
 * memory follows the number of keys of the last two minutes.
 */
export function createMemoryLimit(max: number, nowMs: () => number = () => performance.now()): MemoryLimit {
  const windows = new Map<string, { endsAt: number; taken: number }>()
  let sweepAt = nowMs() + windowMs

  function sweep(now: number) {
    for (const [key, { endsAt }] of windows) if (endsAt <= now) windows.delete(key)
    sweepAt = now + windowMs
  }

  return {
    take(key) {
      const now = nowMs()
      if (now >= sweepAt) sweep(now)
      const known = windows.get(key)
      const window = known && known.endsAt > now ? known : { endsAt: now + windowMs, taken: 0 }
      windows.set(key, window)
      window.taken += 1
      return window.taken > max ? window.endsAt - now : 0
    },
  }
}
