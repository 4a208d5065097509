import type { DeliveryAttempt } from "@/lib/delivery/transports/attempt"
import { counter, histogram } from "@/lib/platform/metrics"

const attempts = counter("mailroom_delivery_attempts_total", "Delivery attempts by outcome.", ["region", "outcome"])
const durations = histogram(
  "mailroom_delivery_attempt_duration_seconds",
  "Duration of delivery attempts, from getting a connection to the final reply.",
  [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
  ["region"],
)

/** Counts one attempt. `region` is the name of the relay: a region, or the simulator. */
export function countAttempt(region: string, { outcome, startedAt, endedAt }: DeliveryAttempt) {
  attempts.inc({ region, outcome })
  durations.observe({ region }, (endedAt.getTime() - startedAt.getTime()) / 1000)
}
