import { isUnavailable } from "@/lib/platform/database/sql-errors"

export type Gathering = {
  /** Calls in one run. */
  most: number
  /**
   * Between the starts of two runs, unless the next is full: under load runs are then few and large. A call that comes
   * after a pause is served at once.
   */
  spacingMs?: number
}

type Waiter<In, Out> = { item: In; resolve: (out: Out) => void; reject: (error: unknown) => void }

/**
 * Lets calls that wait together share one call of `run`, one run at a time. `run` answers for each item at its place.
 * Where a shared call fails, each item is tried alone: one bad row never fails the others. A database that is away
 * fails them all at once.
 */
export function gather<In, Out>(
  run: (items: In[]) => Promise<Out[]>,
  { most, spacingMs = 0 }: Gathering,
): (item: In) => Promise<Out> {
  const waiting: Waiter<In, Out>[] = []
  let serving = false
  let startedAt = -Infinity
  let full = () => {}

  async function serve(): Promise<void> {
    if (serving) return
    serving = true
    while (waiting.length > 0) {
      await groupComplete()
      startedAt = performance.now()
      await serveGroup(waiting.splice(0, most))
    }
    serving = false
  }

  /** Until the group is full or its time has come. */
  async function groupComplete(): Promise<void> {
    const waitMs = startedAt + spacingMs - performance.now()
    if (waiting.length >= most || waitMs <= 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs)
      full = () => (clearTimeout(timer), resolve())
    })
  }

  async function serveGroup(group: Waiter<In, Out>[]): Promise<void> {
    try {
      const outs = await run(group.map(({ item }) => item))
      group.forEach(({ resolve }, at) => resolve(outs[at] as Out))
    } catch (error) {
      if (group.length === 1 || isUnavailable(error)) group.forEach(({ reject }) => reject(error))
      else for (const waiter of group) await serveGroup([waiter])
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (waiting.length >= most) full()
      // A turn later, so that what ends in the same turn leaves together.
      if (!serving) setImmediate(() => void serve())
    })
}
