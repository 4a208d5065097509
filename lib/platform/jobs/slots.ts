/** Runs work in one of a fixed number of slots. */
export type Slots = <T>(work: () => Promise<T>) => Promise<T>

/** Runs at most `count` calls at once; further calls wait in order. */
export function createSlots(count: number): Slots {
  const waiting: (() => void)[] = []
  let taken = 0

  return async (work) => {
    taken += 1
    if (taken > count) await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      taken -= 1
      waiting.shift()?.()
    }
  }
}
