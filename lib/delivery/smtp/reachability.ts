/** Tells from all connections of a pool whether the server accepts no further ones, or is unreachable. */
export type Reachability = {
  /** Runs the opening of a connection. */
  opening<T>(open: () => Promise<T>): Promise<T>
  /** Runs the work over an open connection. */
  carrying<T>(work: () => Promise<T>): Promise<T>
  /** The server replied. */
  replied(): void
  /** A connection could not be opened: true if others may still serve the mail. */
  othersServe(): boolean
  /** Opens no further connection for a moment, although none is open. */
  pause(): void
  /** True while no further connections are opened. */
  isFull(): boolean
}

/** After a refused connection no further one is opened for so long while others are open. */
const pauseMs = 5_000
const shortPauseMs = 900
/** Open connections without a reply for so long do not prove that the server is reachable. */
const aliveMs = 10_000

export function createReachability(now = () => performance.now()): Reachability {
  let opening = 0
  let carrying = 0
  let repliedAt = -Infinity
  let refusedAt = -Infinity
  let pausedUntil = -Infinity

  const anyServes = () => opening > 0 || (carrying > 0 && now() - repliedAt < aliveMs)

  return {
    async opening(open) {
      opening += 1
      try {
        const opened = await open()
        repliedAt = now()
        return opened
      } finally {
        opening -= 1
      }
    },
    async carrying(work) {
      carrying += 1
      try {
        return await work()
      } finally {
        carrying -= 1
      }
    },
    replied: () => void (repliedAt = now()),
    othersServe() {
      refusedAt = now()
      return anyServes()
    },
    pause: () => void (pausedUntil = now() + shortPauseMs),
    isFull: () => now() < pausedUntil || (now() - refusedAt < pauseMs && anyServes()),
  }
}
