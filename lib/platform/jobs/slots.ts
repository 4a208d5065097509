export type Places = <T>(work: () => Promise<T>) => Promise<T>

/** Lets at most `count` of the works given to it run at once; the others wait in order. */
export function createPlaces(count: number): Places {
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
