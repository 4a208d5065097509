import type { DeliveryAttempt } from "@/lib/delivery/transports/attempt"
import { counter, histogram } from "@/lib/platform/metrics"

const attempts = counter(
  "mailroom_delivery_attempts_total",
  "Attempts to hand a mail to the next server, by how they ended.",
  ["region", "outcome"],
)
const durations = histogram(
  "mailroom_delivery_attempt_duration_seconds",
  "From the turn among the connections to the reply that ended the attempt.",
  [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
  ["region"],
)

/** Notes one attempt. `region` is the name of the relay: a region, or the simulator. */
export function countAttempt(region: string, { outcome, startedAt, endedAt }: DeliveryAttempt) {
  attempts.inc({ region, outcome })
  durations.observe({ region }, (endedAt.getTime() - startedAt.getTime()) / 1000)
}
