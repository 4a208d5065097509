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

/** Runs work in one of a fixed number of slots, in turn between those who ask. */
type FairSlots = <T>(owner: string, work: () => Promise<T>) => Promise<T>

/** Whoever has the fewest running comes next; nobody has more than `each`, so that some are left for who comes later. */
export function createFairSlots(count: number, each = count): FairSlots {
  const waiting = new Map<string, (() => void)[]>()
  const running = new Map<string, number>()
  let taken = 0

  function startNext() {
    while (taken < count) {
      const owners = [...waiting.keys()].filter((owner) => (running.get(owner) ?? 0) < each)
      const [first] = owners.sort((a, b) => (running.get(a) ?? 0) - (running.get(b) ?? 0))
      const start = first === undefined ? undefined : waiting.get(first)?.shift()
      if (first === undefined || !start) return
      if (waiting.get(first)?.length === 0) waiting.delete(first)
      running.set(first, (running.get(first) ?? 0) + 1)
      taken += 1
      start()
    }
  }

  return async (owner, work) => {
    await new Promise<void>((start) => {
      waiting.set(owner, [...(waiting.get(owner) ?? []), start])
      startNext()
    })
    try {
      return await work()
    } finally {
      taken -= 1
      const left = (running.get(owner) ?? 1) - 1
      if (left > 0) running.set(owner, left)
      else running.delete(owner)
      startNext()
    }
  }
}

/** The same for each key, such as a project or a host. */
export function createKeyedSlots(count: number): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const of = keyed(() => createSlots(count))
  return (key, work) => of(key, (slots) => slots(work))
}

export function createKeyedFairSlots(
  count: number,
): <T>(key: string, owner: string, work: () => Promise<T>) => Promise<T> {
  const of = keyed(() => createFairSlots(count))
  return (key, owner, work) => of(key, (slots) => slots(owner, work))
}

/** Keeps what belongs to a key for as long as somebody uses it. */
function keyed<Kept>(create: () => Kept): <T>(key: string, use: (kept: Kept) => Promise<T>) => Promise<T> {
  const all = new Map<string, { kept: Kept; users: number }>()

  return async (key, use) => {
    const own = all.get(key) ?? { kept: create(), users: 0 }
    all.set(key, own)
    own.users += 1
    try {
      return await use(own.kept)
    } finally {
      own.users -= 1
      if (own.users === 0) all.delete(key)
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
