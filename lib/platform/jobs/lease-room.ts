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
