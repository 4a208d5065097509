import { setTimeout as wait } from "node:timers/promises"
import { rollUp } from "@/lib/metrics/roll-up/data"
import { runRepeatedly } from "@/lib/platform/jobs/leases"
import { log } from "@/lib/platform/log"
import { noteEvents } from "@/lib/segments/passes/data"
import { counter, histogram, secondsBuckets } from "@/lib/platform/metrics"
import { fanOut, shapeAll } from "@/lib/webhooks/fan-out/data"
import { shards } from "@/lib/stream/data"
import {
  type Consume,
  dispatchBatch,
  type Dispatched,
  type DispatchedEvent,
  lookForEvents,
} from "@/lib/worker/dispatcher-sql"

/** Each handles events in the transaction that numbers them, so exactly once. */
const consumers: readonly Consume[] = [rollUp, noteEvents, fanOut]

const dispatchedEvents = counter("mailroom_events_dispatched_total", "Events that were dispatched, by type.", ["type"])
const lags = histogram(
  "mailroom_dispatch_lag_seconds",
  "Age of the oldest event of a round when it was dispatched.",
  secondsBuckets,
)

const batchMax = 1_000
/** Shards of a round where more events wait than it takes: the others are left to other workers. */
const shareOfShards = 4
const intervalMs = 50
const pauseMaxMs = 5_000
/** So soon an older version that starts is noticed. */
const askVersionsEveryMs = 1_000

/**
 * Gives events their public order until the signal aborts, then once more to what is left. Dispatchers work beside each other,
 * in different shards of the projects.
 */
export async function runDispatcher(signal: AbortSignal): Promise<void> {
  const round = createRounds()
  await runRepeatedly({
    name: "events",
    async round() {
      const { count, isFull } = await round()
      return isFull || (count > 0 && "soon")
    },
    intervalMs,
    failurePauseMaxMs: pauseMaxMs,
    signal,
  })
  await drain(round)
}

/** One round of about 1,000 events at most; answers how many it was. */
export async function dispatchOnce(): Promise<number> {
  return (await createRounds()()).count
}

/** Dispatches until no event waits, for webhooks neither, beside other dispatchers too. */
export async function dispatchAll(): Promise<void> {
  const round = createRounds()
  while ((await lookForEvents()).areWaiting) if ((await round()).count === 0) await wait(intervalMs)
  await shapeAll()
}

/** The rounds of one dispatcher. */
function createRounds(): () => Promise<Dispatched> {
  let isBusy = false
  let isWhole = false
  let askedAt = -Infinity
  return async () => {
    const asks = performance.now() - askedAt > askVersionsEveryMs
    const { areWaiting, hasOlderVersion } = await lookForEvents(asks)
    if (hasOlderVersion !== null) {
      if (hasOlderVersion !== isWhole)
        log.info(
          hasOlderVersion
            ? "events get one order while an older version is connected"
            : "events are numbered by shards",
        )
      isWhole = hasOlderVersion
      askedAt = performance.now()
    }
    if (!areWaiting) return { count: 0, isFull: false }
    let events: readonly DispatchedEvent[] = []
    const shardsMax = isBusy ? shareOfShards : shards
    const dispatched = await dispatchBatch({ limit: batchMax, shardsMax, isWhole }, async (client, batch) => {
      events = batch
      for (const consume of consumers) await consume(client, batch)
    })
    isBusy = dispatched.isFull
    for (const { type } of events) dispatchedEvents.inc({ type })
    if (events.length > 0) lags.observe(Math.max(0, Date.now() - (madeAt(events[0]) ?? Date.now())) / 1000)
    return dispatched
  }
}

/** The time inside the UUIDv7 of an event. */
function madeAt(event: DispatchedEvent | undefined): number | undefined {
  return event && parseInt(event.id.replaceAll("-", "").slice(0, 12), 16)
}

async function drain(round: () => Promise<Dispatched>) {
  try {
    while ((await round()).isFull);
  } catch (error) {
    log.warn({ err: error }, "the last events are dispatched after the next start")
  }
}
