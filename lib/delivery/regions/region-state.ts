import type { DeliveryAttempt } from "@/lib/delivery/transports/attempt"
import { beginOutage } from "@/lib/delivery/regions/outage-store"
import type { Relay } from "@/lib/delivery/regions/relays"
import { log } from "@/lib/platform/log"

/** Which relays this process knows to be unreachable; the database decides for all workers. */
export type RegionState = {
  isDown(route: string): boolean
  /** Sets the routes that the database lists as down. */
  update(down: readonly string[]): void
  /** Reports an attempt that failed before its mail was named. */
  fail(relay: Relay, attempt: DeliveryAttempt, diagnostic: string): Promise<void>
}

export function createRegionState(): RegionState {
  let known = new Set<string>()

  return {
    isDown: (route) => known.has(route),
    update: (down) => void (known = new Set(down)),
    async fail(relay, { phase, remote }, diagnostic) {
      if (known.has(relay.name)) return
      known.add(relay.name)
      const began = await beginOutage(relay.name, { phase, diagnostic }, relay.probeSeconds)
      if (!began) return
      // At start the sandbox may be a moment behind the worker.
      log[relay.local ? "warn" : "error"](
        { region: relay.name, phase, remote, diagnostic },
        "a region cannot reach its relay: its mail waits",
      )
    },
  }
}
