import { claimForProbe } from "@/lib/delivery/queue/claims/data"
import { createDeliverer } from "@/lib/delivery/queue/worker"
import { prepareWork } from "@/lib/delivery/queue/prepare"
import { takeBackRefused } from "@/lib/delivery/queue/waits/data"
import { clearRefusals, endOutage, noteProbe, refusedDomains, refusesEverybody } from "@/lib/delivery/regions/data"
import { mayConcernAll, refuserOf, refusersMax, sentenceOf } from "@/lib/delivery/regions/refusal-rules"
import { createRegionState, type Refused, type RegionState } from "@/lib/delivery/regions/region-state"
import type { Relay, Relays } from "@/lib/delivery/regions/relays"
import type { Phase } from "@/lib/explanation/codes"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { log } from "@/lib/platform/log"
import { systemIo } from "@/lib/regions/io"
import { regionNames } from "@/lib/regions/regions"

/** A probe that takes longer is claimed again. */
const leaseMs = 60_000

/**
 * Probes a relay that refuses everybody, which greets as if nothing were wrong: sends it one of the emails that wait. Once
 * it takes one, or refuses one for the recipient's sake, the others are sent. Returns how long the outage took, in seconds;
 * null while it goes on.
 */
export async function probeWithMail(
  { route, refusing }: { route: string; refusing: string },
  relays: Relays,
  signal: AbortSignal,
): Promise<number | null> {
  const taken = await takeBackRefused(route, refusing)
  if (taken > 0)
    log.info({ region: route, emails: taken }, "bounces of a relay that refuses every email are taken back")
  const region = regionNames.find((one) => one === route)
  const relay = region && relays.named(region)
  if (!relay) return endOutage(route, refusing)

  const startedAt = await databaseTime()
  const claimed = await claimForProbe(region, leaseMs, await refusedDomains(route))
  const works = await prepareWork(claimed)
  let met: Refused | undefined
  const state = probingState(relays, (refused) => (met = refused))
  const deliver = createDeliverer({ region, relays, io: systemIo() }, state)
  for (const work of works) await deliver(work, signal)
  if (!met || signal.aborted) return null
  if (refusesStill(relay, met)) {
    const { attempt, decision } = met
    await noteProbe(route, { phase: attempt.phase, diagnostic: decision.diagnostic }, { ...attempt, notSent: true })
    return null
  }
  await takeBackRefused(route, refusing)
  await clearRefusals(route, startedAt)
  return endOutage(route, refusing)
}

/** Sends although the region is down, and lets the email wait unless the relay accepts or bounces it for its own sake. */
function probingState(relays: Relays, onAttempt: (refused: Refused) => void): RegionState {
  const usual = createRegionState(relays.paths)
  return {
    ...usual,
    isProbing: true,
    isDown: () => false,
    async refuse(relay, refused) {
      onAttempt(refused)
      const { attempt, decision, deliveryId, canonical } = refused
      if (mayConcernAll(relay, attempt, decision)) {
        const domain = refuserOf(relay, attempt, canonical)
        const refusal = { route: relay.name, sentence: sentenceOf(attempt, canonical), domain, deliveryId }
        await refusesEverybody(refusal, refusersMax(relay))
      }
      return decision.kind !== "region_fault" && refusesStill(relay, refused)
    },
  }
}

/** A server that cannot be reached, or that defers before it has the message, has not accepted anybody yet. */
function refusesStill(relay: Relay, { attempt, decision }: Refused): boolean {
  if (decision.kind === "region_fault") return true
  if (decision.kind === "retry")
    return attempt.code === undefined || attempt.phase === undefined || !afterRecipient.has(attempt.phase)
  return mayConcernAll(relay, attempt, decision)
}

const afterRecipient: ReadonlySet<Phase> = new Set<Phase>(["data", "final"])
