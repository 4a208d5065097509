import { agedDeletion } from "@/lib/platform/database/retention-sql"

/** Days for which requests are kept; partitions of the log itself are dropped by the worker. */
const usageDays = 90

/** Days for which requests are counted by hour: the chart shows the last one. */
const hourlyDays = 2

/** Retention of requests by day and by hour. Raw, as every deletion in batches. */
export const keyRetention = [
  agedDeletion("days of API keys", "api_key_days", "day", () => usageDays),
  agedDeletion("hours of API keys", "api_key_hours", "hour", () => hourlyDays),
]
