import { classify } from "@/lib/delivery/transports/classify"
import {
  endOutage,
  findLiveWorkers,
  findOutages,
  forgetOldRefusals,
  heartbeatSeconds,
  isReachedByOthers,
  noteProbe,
  type RegionOutage,
  takeProbes,
  writeHeartbeat,
  clearRefusals,
  refusedDomains,
  refusesEverybody,
} from "@/lib/delivery/regions/data"
import { probeSeconds } from "@/lib/delivery/regions/region-rules"
import {
  reportBroken,
  type Relays,
  createRegionState,
  type Refused,
  type RegionState,
  type Relay,
} from "@/lib/delivery/regions/relays"
import { runRepeatedly } from "@/lib/platform/jobs/leases"
import { wake } from "@/lib/platform/jobs/quiet"
import { log } from "@/lib/platform/log"
import { gauge } from "@/lib/platform/metrics"
import { regionNames } from "@/lib/regions/regions"
import { claimForProbe } from "@/lib/delivery/queue/claims/data"
import { createDeliverer } from "@/lib/delivery/queue/worker"
import { prepareWork } from "@/lib/delivery/queue/prepare"
import { takeBackRefused } from "@/lib/delivery/queue/waits/data"
import { mayConcernAll, refuserOf, refusersMax, sentenceOf } from "@/lib/delivery/regions/refusal-rules"
import type { Phase } from "@/lib/explanation/codes"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { systemIo } from "@/lib/regions/io"

const forgetEveryMs = 5 * 60_000

/** Of a route that is no longer configured. */
const unknownSeconds = 15

type ProbeOptions = {
  relays: Relays
  signal: AbortSignal
  /** Between reads of which probes are due. */
  pollMs?: number
}

/**
 * Writes the worker's heartbeat, probes relays that are unreachable or refuse everybody, and ends an outage at the first
 * probe that succeeds: waiting mail is then claimed at the usual pace. Never rejects.
 */
export async function runProbes({ relays, signal, pollMs = 1_000 }: ProbeOptions): Promise<void> {
  const running = new Set<Promise<void>>()
  let [beatAt, forgottenAt] = [-Infinity, -Infinity]
  const beating = setInterval(() => wake("relay probes"), heartbeatSeconds * 1_000)
  await runRepeatedly({
    name: "relay probes",
    intervalMs: pollMs,
    signal,
    round: async () => {
      const outages = await findOutages()
      if (performance.now() - beatAt >= heartbeatSeconds * 900) {
        await beat(relays, outages)
        beatAt = performance.now()
      }
      if (performance.now() - forgottenAt >= forgetEveryMs) {
        await forgetOldRefusals()
        forgottenAt = performance.now()
      }
      for (const probing of await startProbes(relays, signal, outages)) {
        running.add(probing)
        void probing.finally(() => running.delete(probing))
      }
      // What only this worker has to probe is in no table that would wake it.
      if (relays.paths.broken().length > 0) setTimeout(() => wake("relay probes"), pollMs).unref()
      return false
    },
  })
  clearInterval(beating)
  await Promise.all(running)
}

const reached = gauge("mailroom_worker_reaches_region", "1 while this worker reaches the relay of the region.", [
  "region",
])

/** Also tells of a region that no live worker reaches any more, since the last one that did has ended. */
async function beat({ paths, named, learnReports }: Relays, outages: readonly RegionOutage[]): Promise<void> {
  for (const region of regionNames) reached.set({ region }, paths.isBroken(region) ? 0 : 1)
  await writeHeartbeat(paths)
  await learnReports()
  const down = new Set(outages.map(({ route }) => route))
  for (const [route, fault] of Object.entries(paths.faults())) {
    const relay = named(route)
    if (relay && !down.has(route) && !(await isReachedByOthers(paths, route))) await reportBroken(paths, relay, fault)
  }
}

/** Starts the probes that are due now; a silent relay holds up none of the others. */
export async function startProbes(
  relays: Relays,
  signal: AbortSignal,
  outages: readonly RegionOutage[],
): Promise<Promise<void>[]> {
  const { paths } = relays
  const shared = outages.length > 0 ? await take() : []
  const unreachable = outages.filter(({ refusing }) => refusing === null).map(({ route }) => route)
  // Whether the region is down for this worker too is found out once.
  const unknown = unreachable.filter((route) => !paths.isBroken(route) && relays.named(route))
  const own = [...unknown, ...paths.takeDue(new Set(unreachable))].filter((route) =>
    shared.every((outage) => outage.route !== route),
  )
  return [
    ...shared.flatMap((outage) => started(outage.route, () => probe(outage.route, outage))),
    ...own.flatMap((route) => started(route, () => probe(route))),
  ]

  async function take(): Promise<RegionOutage[]> {
    const alone = (await findLiveWorkers()).every(({ id }) => id === paths.id)
    return takeProbes(outages, secondsOf, { id: paths.id, alone })
  }

  function secondsOf({ route, refusing }: RegionOutage): number {
    const relay = relays.named(route)
    if (relay && !relay.hasOneServer && refusing !== null) return probeSeconds.refused
    return relay?.probeSeconds ?? unknownSeconds
  }

  function started(route: string, run: () => Promise<void>): Promise<void>[] {
    const probing = paths.probing(route, () =>
      run().catch((error: unknown) => log.error({ err: error, region: route }, "a probe of a relay failed")),
    )
    return probing ? [probing] : []
  }

  async function probe(route: string, outage?: RegionOutage): Promise<void> {
    if (outage && outage.refusing !== null) {
      const seconds = await probeWithMail({ route, refusing: outage.refusing }, relays, signal)
      if (seconds !== null) log.info({ region: route, seconds: Math.round(seconds) }, "a relay accepts mail again")
      return
    }
    const relay = relays.named(route)
    const before = outage?.fault ?? paths.faults()[route]?.fault
    const failed = await relay?.transport.probe(signal, before)
    if (signal.aborted) return
    if (failed) {
      const { phase = "connect" } = failed
      const { diagnostic } = classify(failed)
      const fault = { since: new Date(), phase, diagnostic, fault: failed.fault }
      if (relay && paths.broke(route, fault, relay.probeSeconds)) await writeHeartbeat(paths)
      if (outage) await noteProbe(route, { ...fault, phase: failed.phase }, failed)
      return
    }
    if (paths.recovered(route)) {
      await writeHeartbeat(paths)
      log.info({ region: route }, "this worker reaches the relay of a region again")
    }
    const seconds = await endOutage(route, null)
    if (seconds !== null) log.info({ region: route, seconds: Math.round(seconds) }, "a region reaches its relay again")
  }
}

/** A probe that takes longer is claimed again. */
const leaseMs = 60_000

/**
 * Probes a relay that refuses everybody, which greets as if nothing were wrong: sends it one of the emails that wait. Once
 * it takes one, or refuses one for the recipient's sake, the others are sent. Returns how long the outage took, in seconds;
 * null while it goes on.
 */
async function probeWithMail(
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
