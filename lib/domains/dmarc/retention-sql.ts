import { agedDeletion } from "@/lib/platform/database/retention-sql"
import { reportDays } from "@/lib/domains/dmarc/rules"

/** Retention of DMARC reports; what they count goes with them. Raw, as every deletion in batches. */
export const domainRetention = [agedDeletion("DMARC reports", "dmarc_reports", "ended_at", () => reportDays)]
