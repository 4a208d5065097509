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

/** No slot became free in time. */
export class SlotsBusy extends Error {}

/**
 * Slots of which one owner, such as a project, has at most `perOwner`: whatever an owner asks for at once, it waits for its own.
 * The calls reject with SlotsBusy when they have waited for `waitMs`.
 */
export function createSharedSlots({
  count,
  perOwner,
  waitMs,
}: {
  count: number
  perOwner: number
  waitMs: number
}): <T>(owner: string, work: () => Promise<T>) => Promise<T> {
  const all = createSlots(count)
  const ofOwners = createKeyedSlots(perOwner)

  return (owner, work) =>
    new Promise((resolve, reject) => {
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        reject(new SlotsBusy("No slot became free in time."))
      }, waitMs)
      const begin = async () => {
        clearTimeout(timer)
        if (!isLate) await work().then(resolve, reject)
      }
      void ofOwners(owner, () => (isLate ? Promise.resolve() : all(begin)))
    })
}
