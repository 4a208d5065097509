export type Patience = {
  /** How many have stepped slow. */
  slow(): number
  /** Runs work that holds a place; if it takes long it steps slow, and `onLate` says that its place is free. */
  run<T>(work: () => Promise<T>): Promise<T>
}

/** So many may have stepped slow, in multiples of the places; those after them hold theirs. */
const asideTimes = 4

/** One server that is silent for some recipients must not hold up the mail of all others: who waits long gives way. */
export function createPatience(places: number, patienceMs: number, onLate: () => void): Patience {
  let slow = 0

  return {
    slow: () => slow,
    async run(work) {
      let late = false
      const timer = setInterval(() => {
        if (late || slow >= asideTimes * places) return
        late = true
        slow += 1
        onLate()
      }, patienceMs)
      try {
        return await work()
      } finally {
        clearInterval(timer)
        if (late) slow -= 1
      }
    },
  }
}
