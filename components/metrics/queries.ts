import { query } from "@/components/data/query"
import { weekBefore } from "@/components/metrics/chart"
import { type MetricsView, periodQuery, zoneQuery } from "@/components/metrics/view"

export type BreakdownBy = "domain" | "provider" | "topic" | "tag"

const compared = ({ compare }: MetricsView) => (compare ? { compare: "previous" as const } : {})
const ofDomain = ({ domain }: MetricsView) => (domain ? { domain } : {})

export function metricsSummary(projectId: string, view: MetricsView) {
  return query("GET /v1/metrics/summary", {
    query: { ...periodQuery(view), ...compared(view), ...ofDomain(view), projectId },
  })
}

export function metricsTimeline(projectId: string, view: MetricsView) {
  return query("GET /v1/metrics/timeline", {
    query: { ...periodQuery(view), ...zoneQuery(view), ...ofDomain(view), format: "compact", projectId },
  })
}

/** The same days a week before, to compare day with day. */
export function metricsWeekBefore(projectId: string, view: MetricsView, from: string) {
  return query("GET /v1/metrics/timeline", {
    query: {
      ...{ from: weekBefore(from), to: from, granularity: "day", ...zoneQuery(view) },
      ...{ ...ofDomain(view), format: "compact", projectId },
    },
  })
}

export function metricsBreakdown(projectId: string, view: MetricsView, by: BreakdownBy) {
  return query("GET /v1/metrics/breakdown", { query: { by, ...periodQuery(view), ...compared(view), projectId } })
}

export function advisorReport(projectId: string) {
  return query("GET /v1/metrics/advisor", { query: { projectId } })
}
