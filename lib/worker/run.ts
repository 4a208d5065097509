import { setMaxListeners } from "node:events"
import { setTimeout as wait } from "node:timers/promises"
import { runBroadcasts } from "@/lib/broadcasts/sending/worker"
import { followScores } from "@/lib/contacts/engagement/data"
import { runAudience } from "@/lib/contacts/worker"
import { runDestinations } from "@/lib/delivery/queue/queues/destinations"
import { runDelayNotices } from "@/lib/delivery/queue/waits/data"
import { runDeliveries } from "@/lib/delivery/queue/worker"
import { runSesRemovals } from "@/lib/delivery/ses/removals"
import { runProbes } from "@/lib/delivery/regions/probe"
import { createRelays } from "@/lib/delivery/regions/relays"
import { runTlsReports } from "@/lib/delivery/tls-reports/send"
import { runSetupChecks } from "@/lib/delivery/setup/report"
import { runRetainedSigners } from "@/lib/delivery/message/signers"
import { runScheduledRelease } from "@/lib/delivery/scheduling/data"
import { runEmailSearch } from "@/lib/emails/search/data"
import { checkDueDomains } from "@/lib/domains/check/worker"
import { closeDatabase, pool } from "@/lib/platform/database/db"
import { heldSince } from "@/lib/platform/postgres/backup"
import { runRepeatedly } from "@/lib/platform/jobs/leases"
import { log } from "@/lib/platform/log"
import { runReturnedMail } from "@/lib/inbound/jobs"
import { runLoopTests } from "@/lib/inbound/loop-test"
import { runReceivedMail } from "@/lib/received/worker"
import { runSesEvents } from "@/lib/inbound/ses/poll-events"
import { runSegments } from "@/lib/segments/passes/worker"
import { runTracking } from "@/lib/tracking/hits/worker"
import { runDispatcher } from "@/lib/worker/dispatcher"
import { runHousekeeping } from "@/lib/worker/housekeeping"
import { runWatch } from "@/lib/worker/watch"
import { runShaping } from "@/lib/webhooks/fan-out/data"
import { runWebhooks } from "@/lib/webhooks/delivery/worker"
import { runNoticePosts } from "@/lib/projects/worker"
import { runSystemMail } from "@/lib/worker/system-mail"
import { systemIo } from "@/lib/regions/io"
import { regionNames } from "@/lib/regions/regions"

const domainChecksEveryMs = 1_000

const heldForMs = 2_000

/** A restored installation sends nothing until its operator has decided what happens to what waits (`admin release`). */
async function untilReleased(signal: AbortSignal): Promise<void> {
  for (let told = false; !signal.aborted; told = true) {
    const held = await heldSince(pool()).catch(() => "unknown")
    if (held === null) return
    if (!told)
      log.warn("the worker waits: this installation was restored and is held (admin release), or the database is away")
    await wait(heldForMs, undefined, { signal }).catch(() => undefined)
  }
}

/**
 * Does what is due until the signal aborts; then finishes what is under way (at most 25 s), dispatches the last events,
 * and closes connections and database. Work of a worker that died is claimed again after `leaseMs`.
 */
export async function runWorker(signal: AbortSignal, { leaseMs = 60_000 } = {}): Promise<void> {
  await untilReleased(signal)
  const io = systemIo()
  const relays = createRelays()
  const deliveriesEnded = new AbortController()
  // Every loop listens to it, which Node would take for a leak beyond ten.
  setMaxListeners(0, signal)
  await relays
    .learnReports()
    .catch((error: unknown) => log.warn({ err: error }, "the proofs of the ways back are unknown"))
  log.info("the worker has started")

  const dispatching = runDispatcher(deliveriesEnded.signal)
  await Promise.all([
    runWatch(signal),
    ...regionNames.map((region) => runDeliveries({ region, relays, io, signal, leaseMs })),
    runDestinations(relays, signal),
    runProbes({ relays, signal }),
    runDelayNotices(signal),
    runScheduledRelease(signal),
    runRetainedSigners(signal),
    runBroadcasts({ signal, leaseMs }),
    runReturnedMail({ signal, leaseMs }),
    runReceivedMail({ signal, leaseMs }),
    runLoopTests({ relays, io, signal }),
    runSesEvents(signal),
    runSesRemovals(signal),
    runTlsReports({ relays, signal }),
    runSetupChecks(signal),
    runSystemMail({ io, signal, leaseMs }),
    runNoticePosts({ signal, leaseMs }),
    runTracking(signal),
    runShaping(signal),
    runWebhooks({ io, signal, leaseMs }),
    runRepeatedly({
      name: "domain checks",
      round: async () => (await checkDueDomains(io)) > 0,
      intervalMs: domainChecksEveryMs,
      signal,
    }),
    runSegments({ signal, leaseMs, followScores }),
    runAudience({ clock: io.clock, signal, leaseMs }),
    runEmailSearch(signal),
    runHousekeeping(signal),
  ])
  await relays.close()
  deliveriesEnded.abort()
  await dispatching
  await closeDatabase()
  log.info("the worker has stopped")
}
