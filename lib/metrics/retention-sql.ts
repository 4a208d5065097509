import { agedDeletion } from "@/lib/platform/database/retention-sql"
import { env } from "@/lib/platform/env/env"

/** Retention of counts. Raw, as every deletion in batches. */
export const metricRetention = [
  agedDeletion("metric hours", "metric_hours", "hour", () => env().keepDays.events),
  agedDeletion("topic hours", "topic_hours", "hour", () => env().keepDays.events),
  agedDeletion("metric slices", "metric_slices", "starts_at", () => env().keepDays.events),
]
