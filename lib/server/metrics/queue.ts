import { findOutages } from "@/lib/delivery/regions/data"
import { log } from "@/lib/platform/log"
import { gauge } from "@/lib/platform/metrics"
import { version } from "@/lib/platform/version"
import { monthsAhead } from "@/lib/worker/partition-sql"
import { countWaitingWork, overdue, overdueKinds } from "@/lib/worker/queue-sql"
import { regionNames } from "@/lib/regions/regions"

const oldAfterMs = 3_000

/**
 * Gauges of what waits in the database. Call the returned function at every scrape; it queries at most once in three
 * seconds. The supervisor does this, so that a queue is seen to grow while the worker is down.
 */
export function measureQueue(): () => Promise<void> {
  const due = gauge("mailroom_queue_due_deliveries", "Due deliveries that no worker has leased.", ["region"])
  const dueAge = gauge("mailroom_queue_oldest_due_seconds", "How long the oldest due delivery has waited.", ["region"])
  const events = gauge("mailroom_events_undispatched", "Events without a sequence number yet.")
  const eventsAge = gauge(
    "mailroom_events_oldest_undispatched_seconds",
    "Age of the oldest event without a sequence number.",
  )
  const returned = gauge("mailroom_returned_mail_waiting", "Returned mails that are stored and not read yet.")
  const returnedAge = gauge(
    "mailroom_returned_mail_oldest_waiting_seconds",
    "How long the oldest returned mail has waited to be read.",
  )
  const webhooks = gauge("mailroom_webhook_due_deliveries", "Due deliveries to webhooks that are not disabled.")
  const webhooksAge = gauge(
    "mailroom_webhook_oldest_due_seconds",
    "How long the oldest due delivery to a webhook has waited.",
  )
  const scheduled = gauge("mailroom_emails_scheduled", "Emails that wait for their time.")
  const still = gauge(
    "mailroom_work_overdue",
    "1 while work of this kind could be done and stands still for over a minute.",
    ["work"],
  )
  gauge("mailroom_build_info", "1; what runs here is in the labels.", ["version", "node"]).set(
    { version, node: process.versions.node },
    1,
  )
  const months = gauge("mailroom_partition_months_ahead", "Future months with partitions; alert below 2.")
  const up = gauge("mailroom_database_up", "1 if the database responded to the last query.")
  const reachable = gauge("mailroom_region_up", "1 while the relay of the region can be reached.", ["region"])
  let queriedAt = -Infinity

  return async () => {
    if (performance.now() - queriedAt < oldAfterMs) return
    queriedAt = performance.now()
    try {
      const [now, outages, standing] = await Promise.all([countWaitingWork(), findOutages(), overdue()])
      for (const region of regionNames) {
        const found = now.deliveries.find((each) => each.region === region)
        due.set({ region }, found?.count ?? 0)
        dueAge.set({ region }, found?.oldestSeconds ?? 0)
        reachable.set({ region }, outages.some(({ route }) => route === region) ? 0 : 1)
      }
      events.set(now.events.count)
      eventsAge.set(now.events.oldestSeconds)
      returned.set(now.returnedMail.count)
      returnedAge.set(now.returnedMail.oldestSeconds)
      webhooks.set(now.webhooks.count)
      webhooksAge.set(now.webhooks.oldestSeconds)
      scheduled.set(now.scheduled)
      for (const kind of overdueKinds) still.set({ work: kind }, standing.includes(kind) ? 1 : 0)
      months.set(await monthsAhead())
      up.set(1)
    } catch (error) {
      log.warn({ err: error }, "the queue could not be measured")
      up.set(0)
    }
  }
}
