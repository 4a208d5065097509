/** What the connections of a pool tell together: does the server let in no more of them, or nobody? */
export type Reach = {
  /** Runs the opening of a connection. */
  opening<T>(open: () => Promise<T>): Promise<T>
  /** Runs the work over an open connection. */
  carrying<T>(work: () => Promise<T>): Promise<T>
  /** The server answered. */
  heard(): void
  /** A connection could not be opened: true if others may still serve the mail. */
  othersServe(): boolean
  /** True while the server is left alone with the connections that it has. */
  isFull(): boolean
}

/** After a refused connection no further one is asked for while others are open. */
const pauseMs = 5_000
/** Open connections on which nothing was heard for so long prove nothing. */
const aliveMs = 10_000

export function createReach(now = () => performance.now()): Reach {
  let opening = 0
  let carrying = 0
  let heardAt = -Infinity
  let refusedAt = -Infinity

  const anyServes = () => opening > 0 || (carrying > 0 && now() - heardAt < aliveMs)

  return {
    async opening(open) {
      opening += 1
      try {
        const opened = await open()
        heardAt = now()
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
    heard: () => void (heardAt = now()),
    othersServe() {
      refusedAt = now()
      return anyServes()
    },
    isFull: () => now() - refusedAt < pauseMs && anyServes(),
  }
}
