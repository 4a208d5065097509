type Waiter<In, Out> = { item: In; resolve: (out: Out) => void; reject: (error: unknown) => void }

/**
 * Lets calls that wait together share one call of `run`, at most `most` of them; no timer, so a lone call pays nothing.
 * `run` answers for each item at its place. Where a shared call fails, each item is tried alone: one bad row never
 * fails the others.
 */
export function gather<In, Out>(run: (items: In[]) => Promise<Out[]>, most: number): (item: In) => Promise<Out> {
  const waiting: Waiter<In, Out>[] = []
  let running = false

  async function serve(): Promise<void> {
    if (running) return
    running = true
    while (waiting.length > 0) await serveGroup(waiting.splice(0, most))
    running = false
  }

  async function serveGroup(group: Waiter<In, Out>[]): Promise<void> {
    try {
      const outs = await run(group.map(({ item }) => item))
      group.forEach(({ resolve }, at) => resolve(outs[at] as Out))
    } catch (error) {
      const [alone] = group
      if (group.length === 1) alone?.reject(error)
      else for (const waiter of group) await serveGroup([waiter])
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      // A turn later, so that what ends in the same turn leaves together.
      setImmediate(() => void serve())
    })
}
