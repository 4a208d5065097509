export type RoomOptions = {
  least: number
  most: number
  /** No more rows are held than end within this time at the pace of late. */
  horizonMs: number
}

/** How many rows a loop may hold at once. */
export type LeaseRoom = {
  /** Says that the work on a row has ended. */
  ended(): void
  size(): number
}

const measuredMs = 100

/**
 * Much room where work is quick, so that its steps overlap; little where it is slow, so that what becomes due meanwhile
 * never waits long behind rows in hand, and few are left behind by a process that dies.
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
      // The better of two measures: one pause of the database is no slow work.
      size = Math.round(Math.min(most, Math.max(least, pace, before)))
      before = pace
      ended = 0
      since += passedMs
      return size
    },
  }
}
