import type { CallAnswer } from "@/components/data/call"

export type Summary = CallAnswer<"GET /v1/metrics/summary">
export type MetricsTimeline = CallAnswer<"GET /v1/metrics/timeline">
export type MetricsBucket = MetricsTimeline["buckets"][number]
export type MetricsBreakdown = CallAnswer<"GET /v1/metrics/breakdown">
export type BreakdownRow = MetricsBreakdown["data"][number]
export type AdvisorReport = CallAnswer<"GET /v1/metrics/advisor">
export type Recommendation = AdvisorReport["recommendations"][number]
