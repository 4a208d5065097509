import type { CallAnswer } from "@/components/data/call"

export type Summary = CallAnswer<"GET /v1/metrics/summary">
export type Timeline = CallAnswer<"GET /v1/metrics/timeline">
export type Bucket = Timeline["buckets"][number]
export type Breakdown = CallAnswer<"GET /v1/metrics/breakdown">
export type BreakdownRow = Breakdown["data"][number]
export type AdvisorReport = CallAnswer<"GET /v1/metrics/advisor">
export type Recommendation = AdvisorReport["recommendations"][number]
