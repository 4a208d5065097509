import { removal } from "@/lib/platform/database/removal-sql"

/** Before topics. */
export const metricRemoval = [
  removal("metric_hours", "hour"),
  removal("topic_hours", "topic_id, hour"),
  removal("metric_slices", "dimension, grain, starts_at, key"),
]
