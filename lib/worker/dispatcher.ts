import { setTimeout as wait } from "node:timers/promises"
import { rollUp } from "@/lib/metrics/roll-up/data"
import type { Queryable } from "@/lib/platform/database/db"
import { runRepeatedly } from "@/lib/platform/jobs/leases"
import { log } from "@/lib/platform/log"
import { noteEvents } from "@/lib/segments/passes/data"
import { counter, histogram, secondsBuckets } from "@/lib/platform/metrics"
import { fanOut, shapeAll } from "@/lib/webhooks/fan-out/data"
import { dispatchBatch, hasUndispatched, type DispatchedEvent } from "@/lib/worker/dispatcher-sql"

/** Handles events in the transaction that numbers them, so exactly once. */
export type Consumer = (client: Queryable, events: readonly DispatchedEvent[]) => Promise<void>

const consumers: readonly Consumer[] = [rollUp, noteEvents, fanOut]

const dispatchedEvents = counter("mailroom_events_dispatched_total", "Events that were dispatched, by type.", ["type"])
const lags = histogram(
  "mailroom_dispatch_lag_seconds",
  "Age of the oldest event of a round when it was dispatched.",
  secondsBuckets,
)

const batchMax = 1_000
const intervalMs = 50
const pauseMaxMs = 5_000

/**
 * Gives events their public order until the signal aborts, then once more to what is left. Of several dispatchers one
 * works and the others wait for its lock.
 */
export async function runDispatcher(signal: AbortSignal): Promise<void> {
  await runRepeatedly({
    name: "events",
    async round() {
      const dispatched = await dispatchOnce()
      return dispatched === batchMax || (dispatched > 0 && "soon")
    },
    intervalMs,
    failurePauseMaxMs: pauseMaxMs,
    signal,
  })
  await drain()
}

/** One round of at most 1,000 events; answers how many it was. */
export async function dispatchOnce(): Promise<number> {
  if (!(await hasUndispatched())) return 0
  let dispatched: readonly DispatchedEvent[] = []
  const count = await dispatchBatch(batchMax, async (client, events) => {
    dispatched = events
    for (const consume of consumers) await consume(client, events)
  })
  if (count === 0) return 0
  for (const { type } of dispatched) dispatchedEvents.inc({ type })
  lags.observe(Math.max(0, Date.now() - (madeAt(dispatched[0]) ?? Date.now())) / 1000)
  return count
}

/** Dispatches until no event waits, for webhooks neither, beside other dispatchers too. */
export async function dispatchAll(): Promise<void> {
  while (await hasUndispatched()) if ((await dispatchOnce()) === 0) await wait(intervalMs)
  await shapeAll()
}

/** The time inside the UUIDv7 of an event. */
function madeAt(event: DispatchedEvent | undefined): number | undefined {
  return event && parseInt(event.id.replaceAll("-", "").slice(0, 12), 16)
}

async function drain() {
  try {
    while ((await dispatchOnce()) === batchMax);
  } catch (error) {
    log.warn({ err: error }, "the last events are dispatched after the next start")
  }
}
