export type Patience = {
  /** How many have stepped aside. */
  aside(): number
  /** Runs work that holds a place; if it takes long it steps aside, and `onLate` says that its place is free. */
  run<T>(work: () => Promise<T>): Promise<T>
}

/** So many may have stepped aside, in multiples of the places; those after them hold theirs. */
const asideTimes = 4

/** One server that is silent for some recipients must not hold up the mail of all others: who waits long gives way. */
export function createPatience(places: number, patienceMs: number, onLate: () => void): Patience {
  let aside = 0

  return {
    aside: () => aside,
    async run(work) {
      let late = false
      const timer = setInterval(() => {
        if (late || aside >= asideTimes * places) return
        late = true
        aside += 1
        onLate()
      }, patienceMs)
      try {
        return await work()
      } finally {
        clearInterval(timer)
        if (late) aside -= 1
      }
    },
  }
}
