/** Lookups are kept for so many names; beyond that, the ones that were looked up first are dropped. */
const namesMax = 50_000

/** A value, and for how long it is kept. */
export type Kept<T> = { value: T; seconds: number }

/** Values by name for a time of their own; who asks while one is looked up waits for the same. A lookup that throws is not kept. */
export function createKept<T>(now: () => number) {
  const known = new Map<string, { value: Promise<T>; until: number }>()

  return {
    get(name: string, find: () => Promise<Kept<T>>): Promise<T> {
      const before = known.get(name)
      if (before && now() < before.until) return before.value
      const entry = { value: find().then(keep, forget), until: Infinity }
      known.delete(name)
      known.set(name, entry)
      const [oldest] = known.size > namesMax ? known.keys() : []
      if (oldest !== undefined) known.delete(oldest)
      return entry.value

      function keep({ value, seconds }: Kept<T>): T {
        entry.until = now() + seconds * 1_000
        return value
      }

      function forget(error: unknown): never {
        if (known.get(name) === entry) known.delete(name)
        throw error
      }
    },
  }
}
