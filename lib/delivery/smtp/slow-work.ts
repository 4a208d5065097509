export type SlowWork = {
  /** How many are slow now. */
  slow(): number
  /** Runs work that holds a connection slot; if it takes long it counts as slow, and `onSlow` reports its slot free. */
  run<T>(work: () => Promise<T>): Promise<T>
}

/** How many may be slow at once, as a multiple of the slots; further ones keep their slots. */
const slowTimes = 4

/** A server that is silent for some recipients must not hold up the mail of all others: slow work frees its slot. */
export function createSlowWork(slots: number, slowMs: number, onSlow: () => void): SlowWork {
  let slow = 0

  return {
    slow: () => slow,
    async run(work) {
      let late = false
      const timer = setInterval(() => {
        if (late || slow >= slowTimes * slots) return
        late = true
        slow += 1
        onSlow()
      }, slowMs)
      try {
        return await work()
      } finally {
        clearInterval(timer)
        if (late) slow -= 1
      }
    },
  }
}
