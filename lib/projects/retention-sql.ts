import { agedDeletion, deletion } from "@/lib/platform/database/retention-sql"

const quotaDays = 90

/** Retention of used quotas and their notifications. Raw, like every deletion in batches. */
export const projectRetention = [
  agedDeletion("quota days", "quota_days", "day", () => quotaDays),
  agedDeletion("quota notices", "quota_notices", "day", () => quotaDays),
  deletion("quota marks", "quota_marks WHERE at < now() - interval '2 hours' ORDER BY at"),
]
