import type { DeliveryAttempt } from "@/lib/delivery/transports/attempt"
import type { Decision } from "@/lib/delivery/transports/classify"
import {
  beginOutage,
  beginRefusal,
  isReachedByOthers,
  refusesEverybody,
  writeHeartbeat,
} from "@/lib/delivery/regions/data"
import { createPaths, type PathFault, type Paths } from "@/lib/delivery/regions/paths"
import { mayConcernAll, refuserOf, refusersMax, sentenceOf } from "@/lib/delivery/regions/refusal-rules"
import type { Relay } from "@/lib/delivery/regions/relays"
import { log } from "@/lib/platform/log"

export type Refused = { attempt: DeliveryAttempt; decision: Decision; deliveryId: string; canonical: string }

/** Which relays this worker claims nothing for; the database decides for all workers, its own paths for this one. */
export type RegionState = {
  /** Its mail finds out whether the region is still down. */
  isProbing?: boolean
  isDown(route: string): boolean
  /** Sets the routes that the database lists as down; returns these and those that only this worker cannot reach. */
  update(down: readonly string[]): readonly string[]
  /** Reports an attempt that failed before its mail was named. */
  fail(relay: Relay, attempt: DeliveryAttempt, diagnostic: string): Promise<void>
  /** Reports a refusal; true if the relay refuses everybody, so that this is no bounce. */
  refuse(relay: Relay, refused: Refused): Promise<boolean>
}

export function createRegionState(paths: Paths = createPaths()): RegionState {
  let known = new Set<string>()

  return {
    isDown: (route) => known.has(route) || paths.isBroken(route),
    update(down) {
      known = new Set(down)
      return [...new Set([...down, ...paths.broken()])]
    },
    async fail(relay, { phase = "connect", remote, fault: own }, diagnostic) {
      if (known.has(relay.name)) return
      const fault = { since: new Date(), phase, diagnostic, fault: own }
      if (!paths.broke(relay.name, fault, relay.probeSeconds)) return
      await reportBroken(paths, relay, fault, remote)
    },
    async refuse(relay, { attempt, decision, deliveryId, canonical }) {
      if (relay.local || !mayConcernAll(relay, attempt, decision)) return false
      const { phase } = attempt
      const { diagnostic } = decision
      const sentence = sentenceOf(attempt, canonical)
      const refusal = { route: relay.name, sentence, domain: refuserOf(relay, attempt, canonical), deliveryId }
      if (!(await refusesEverybody(refusal, refusersMax(relay)))) return false
      known.add(relay.name)
      if (await beginRefusal(relay.name, sentence, { phase, diagnostic }, relay.probeSeconds))
        log.error({ region: relay.name, phase, diagnostic }, "a relay refuses every email: the region's mail waits")
      return true
    },
  }
}

/** This worker does not reach the relay: the region is down once no live worker does. */
export async function reportBroken(
  paths: Paths,
  { name, local, probeSeconds }: Pick<Relay, "name" | "local" | "probeSeconds">,
  { phase, diagnostic, fault }: Omit<PathFault, "since">,
  remote?: string,
): Promise<void> {
  const details = { region: name, phase, remote, diagnostic }
  await writeHeartbeat(paths)
  if (await isReachedByOthers(paths, name))
    return log.error(details, "this worker cannot reach the relay of a region, others do: it claims nothing there")
  const began = await beginOutage(name, { phase: phase as DeliveryAttempt["phase"], diagnostic, fault }, probeSeconds)
  // At start the sandbox may be a moment behind the worker.
  if (began) log[local ? "warn" : "error"](details, "a region cannot reach its relay: its mail waits")
}
