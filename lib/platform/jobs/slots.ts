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

/** The same for each key, such as a project or a host. */
export function createKeyedSlots(count: number): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const kept = new Map<string, { slots: Slots; users: number }>()

  return async (key, work) => {
    const own = kept.get(key) ?? { slots: createSlots(count), users: 0 }
    kept.set(key, own)
    own.users += 1
    try {
      return await own.slots(work)
    } finally {
      own.users -= 1
      if (own.users === 0) kept.delete(key)
    }
  }
}
