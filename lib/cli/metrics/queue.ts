import { findOutages } from "@/lib/delivery/regions/outage-sql"
import { regions } from "@/lib/platform/env/env"
import { log } from "@/lib/platform/log"
import { gauge } from "@/lib/platform/metrics"
import { monthsAhead } from "@/lib/worker/partition-sql"
import { waiting } from "@/lib/worker/queue-sql"

const oldAfterMs = 3_000

/**
 * Gauges of what waits in the database, and a way to bring them up to date: asked at every scrape, it looks at most once
 * in three seconds. The supervisor looks, so that a queue is seen to grow while the worker is away.
 */
export function measureQueue(): () => Promise<void> {
  const due = gauge("mailroom_queue_due_deliveries", "Deliveries that are due and that nobody works on.", ["region"])
  const dueAge = gauge("mailroom_queue_oldest_due_seconds", "How long the oldest of them is due.", ["region"])
  const events = gauge("mailroom_events_undispatched", "Events that wait for their place in the public order.")
  const eventsAge = gauge("mailroom_events_oldest_undispatched_seconds", "Age of the oldest of them.")
  const months = gauge("mailroom_partition_months_ahead", "Months to come whose partitions exist; alert below 2.")
  const up = gauge("mailroom_database_up", "1 where the database answered the last look.")
  const reachable = gauge("mailroom_region_up", "1 while the relay of the region can be reached.", ["region"])
  let lookedAt = -Infinity

  return async () => {
    if (performance.now() - lookedAt < oldAfterMs) return
    lookedAt = performance.now()
    try {
      const [now, outages] = await Promise.all([waiting(), findOutages()])
      for (const region of regions) {
        const found = now.deliveries.find((each) => each.region === region)
        due.set({ region }, found?.count ?? 0)
        dueAge.set({ region }, found?.oldestSeconds ?? 0)
        reachable.set({ region }, outages.some(({ route }) => route === region) ? 0 : 1)
      }
      events.set(now.events.count)
      eventsAge.set(now.events.oldestSeconds)
      months.set(await monthsAhead())
      up.set(1)
    } catch (error) {
      log.warn({ err: error }, "the queue could not be measured")
      up.set(0)
    }
  }
}
