import { agedDeletion } from "@/lib/platform/database/retention-sql"

/** Days for which requests are kept; partitions of the log itself are dropped by the worker. */
const usageDays = 90

/** Retention of requests by day. Raw, as every deletion in batches. */
export const keyRetention = [agedDeletion("days of API keys", "api_key_days", "day", () => usageDays)]
