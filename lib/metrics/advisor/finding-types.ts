import type { DmarcStanding } from "@/lib/domains/dmarc/data"
import type { Counts } from "@/lib/metrics/rules"

export type Severity = "info" | "warning" | "critical"

/** What the advisor judges by. `month` is the last 30 days. */
export type AdvisorFacts = {
  month: Counts
  /** Sent in the last 24 hours, and the daily mean of the 7 days before. */
  sent24h: number
  dailyMean7d: number
  daysSinceLastSend: number | null
  dmarc: readonly DmarcStanding[]
  /** Refusals because of our side, most first; `domainId` is missing if the domain was deleted. */
  refusals: readonly { code: string; domain: string; domainId?: string; count: number }[]
  /** Domains whose records are missing; of a failed one for so long that its email is refused. */
  withoutRecords: readonly { id: string; domain: string; failed: boolean }[]
  /** An email of the last days with the fault, to look at. */
  clippedEmailId: string | null
  htmlOnlyEmailId: string | null
}

/** A place in the dashboard: a path within the project. */
export type DashboardPath = string

export type AdvisorFinding = {
  code: string
  severity: Severity
  title: string
  message: string
  /** What to do. */
  fix: string
  deduction: number
  evidence: DashboardPath
  fixAt: DashboardPath
  data: Record<string, number | string>
}
