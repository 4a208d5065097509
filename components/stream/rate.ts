/** How far back the rate is shown. */
export const rateSeconds = 120

export type RateMeter = {
  /** Counts `events` that arrived at this moment, in milliseconds since 1970. */
  add: (events: number, now: number) => void
  /** Events in each of the last 120 whole seconds, oldest first, without the current one. */
  read: (now: number) => number[]
}

/** Counts per second in a ring buffer of 121 numbers. */
export function createRateMeter(): RateMeter {
  const size = rateSeconds + 1
  const counts = new Array<number>(size).fill(0)
  const seconds = new Array<number>(size).fill(0)
  return {
    add(events, now) {
      const second = Math.floor(now / 1000)
      const at = second % size
      if (seconds[at] !== second) counts[at] = 0
      seconds[at] = second
      counts[at] = (counts[at] ?? 0) + events
    },
    read(now) {
      const first = Math.floor(now / 1000) - rateSeconds
      return Array.from({ length: rateSeconds }, (_, index) => {
        const at = (first + index) % size
        return seconds[at] === first + index ? (counts[at] ?? 0) : 0
      })
    },
  }
}
