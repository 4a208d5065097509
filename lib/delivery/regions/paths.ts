import type { OwnFault } from "@/lib/delivery/transports/attempt"
import { newId } from "@/lib/platform/ids"

/** Why a worker cannot reach a relay. */
export type PathFault = { since: Date; phase: string; diagnostic: string; fault?: OwnFault | undefined }

/** Which relays one worker cannot reach: it claims nothing for them, whatever other workers reach. */
export type Paths = {
  /** Of the worker. */
  id: string
  isBroken(route: string): boolean
  broken(): readonly string[]
  faults(): Readonly<Record<string, PathFault>>
  /** Records a failed connection; false if the path was known to be broken. */
  broke(route: string, fault: PathFault, probeSeconds: number): boolean
  /** Records a connection; false if the path was not broken. */
  recovered(route: string): boolean
  /** Broken paths that are due to be probed by this worker itself: none of `down`, which all workers probe together. */
  takeDue(down: ReadonlySet<string>): string[]
  /** Runs a probe; undefined if one of the route is running. */
  probing<T>(route: string, probe: () => Promise<T>): Promise<T> | undefined
}

export function createPaths(now = () => performance.now()): Paths {
  const known = new Map<string, { fault: PathFault; probeMs: number; probeAt: number }>()
  const running = new Set<string>()

  return {
    id: newId(),
    isBroken: (route) => known.has(route),
    broken: () => [...known.keys()],
    faults: () => Object.fromEntries([...known].map(([route, { fault }]) => [route, fault])),
    broke(route, fault, probeSeconds) {
      const before = known.get(route)
      const probeMs = probeSeconds * 1_000
      const since = before?.fault.since ?? fault.since
      known.set(route, { fault: { ...fault, since }, probeMs, probeAt: before?.probeAt ?? now() + probeMs })
      return !before
    },
    recovered: (route) => known.delete(route),
    takeDue(down) {
      return [...known].flatMap(([route, path]) => {
        if (down.has(route)) {
          // Once another worker has ended the outage, this one looks at once whether that is true for it too.
          path.probeAt = 0
          return []
        }
        if (now() < path.probeAt) return []
        path.probeAt = now() + path.probeMs
        return [route]
      })
    },
    probing(route, probe) {
      if (running.has(route)) return undefined
      running.add(route)
      return probe().finally(() => running.delete(route))
    },
  }
}
