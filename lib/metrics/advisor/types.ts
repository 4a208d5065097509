import type { DmarcStanding } from "@/lib/domains/dmarc/summary-sql"
import type { Counts } from "@/lib/metrics/rules"

export type Severity = "info" | "warning" | "critical"

/** What the advisor judges by. `month` is the last 30 days. */
export type Facts = {
  month: Counts
  /** Sent in the last 24 hours, and the daily mean of the 7 days before. */
  sent24h: number
  dailyMean7d: number
  daysSinceLastSend: number | null
  dmarc: readonly DmarcStanding[]
  /** Refusals because of our side, most first; `domainId` is missing if the domain was deleted. */
  refusals: readonly { code: string; domain: string; domainId?: string; count: number }[]
  /** Verified domains whose records are missing. */
  degraded: readonly { id: string; domain: string }[]
  /** An email of the last days with the fault, to look at. */
  clippedEmailId: string | null
  htmlOnlyEmailId: string | null
}

/** A place in the dashboard: a path within the project. */
export type Place = string

export type Finding = {
  code: string
  severity: Severity
  title: string
  message: string
  /** What to do. */
  fix: string
  deduction: number
  evidence: Place
  fixAt: Place
  data: Record<string, number | string>
}
