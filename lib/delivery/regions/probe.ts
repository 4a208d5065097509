import { classify } from "@/lib/delivery/transports/classify"
import { noteProbe } from "@/lib/delivery/regions/outage-sql"
import { endOutage, takeProbes } from "@/lib/delivery/regions/outage-store"
import type { Relays } from "@/lib/delivery/regions/relays"
import { runRepeatedly } from "@/lib/platform/jobs/leases"
import { log } from "@/lib/platform/log"

/** Of a route that is no longer configured. */
const unknownSeconds = 15

type ProbeOptions = {
  relays: Relays
  signal: AbortSignal
  /** Between reads of which probes are due. */
  pollMs?: number
}

/**
 * Probes unreachable relays and ends an outage at the first connection that is accepted: waiting mail is then claimed at
 * the usual pace. Never rejects.
 */
export async function runProbes({ relays, signal, pollMs = 1_000 }: ProbeOptions): Promise<void> {
  const running = new Set<Promise<void>>()
  await runRepeatedly({
    name: "relay probes",
    intervalMs: pollMs,
    signal,
    round: async () => {
      for (const probing of await startProbes(relays, signal)) {
        running.add(probing)
        void probing.finally(() => running.delete(probing))
      }
      return false
    },
  })
  await Promise.all(running)
}

/** Starts the probes that are due now; a silent relay holds up none of the others. */
export async function startProbes(relays: Relays, signal: AbortSignal): Promise<Promise<void>[]> {
  const routes = await takeProbes((route) => relays.named(route)?.probeSeconds ?? unknownSeconds)
  return routes.map((route) =>
    probe(route).catch((error: unknown) => log.error({ err: error, region: route }, "a probe of a relay failed")),
  )

  async function probe(route: string): Promise<void> {
    const failed = await relays.named(route)?.transport.probe(signal)
    if (signal.aborted) return
    if (failed) return noteProbe(route, { phase: failed.phase, diagnostic: classify(failed).diagnostic }, failed)
    const seconds = await endOutage(route)
    if (seconds !== null) log.info({ region: route, seconds: Math.round(seconds) }, "a region reaches its relay again")
  }
}
