/** Keys of one read at most. */
const keysMax = 100

type Read<Value> = { keys: Set<string>; done: Promise<ReadonlyMap<string, Value>> }

/**
 * Makes one read of what is asked for in the same iteration of the event loop, for each `group` (a project): under load most
 * requests then share a statement, and one alone waits for nothing. A read begins after all that share it have asked.
 */
export function sharedRead<Value>(
  read: (group: string, keys: string[]) => Promise<ReadonlyMap<string, Value>>,
): (group: string, key: string) => Promise<Value | null> {
  const waiting = new Map<string, Read<Value>>()

  return async (group, key) => {
    let shared = waiting.get(group)
    if (!shared || shared.keys.size >= keysMax) {
      shared = begin(group)
      waiting.set(group, shared)
    }
    shared.keys.add(key)
    return (await shared.done).get(key) ?? null
  }

  function begin(group: string): Read<Value> {
    const keys = new Set<string>()
    const done = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      if (waiting.get(group)?.keys === keys) waiting.delete(group)
      return read(group, [...keys])
    })
    return { keys, done }
  }
}
