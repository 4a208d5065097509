import { dayIn, midnightOf, utc } from "@/components/data/day-filters"
import { dayMs } from "@/lib/platform/time"
import { query } from "@/components/data/query"
import { weekBefore } from "@/components/metrics/chart"

/** What the address of the page says. */
export type MetricsView = {
  window: WindowName
  /** Days of a range of one's own; both or none. */
  from: string
  to: string
  /** A sending domain by name; empty for all. */
  domain: string
  compare: boolean
  /** Whose days they are: UTC, or the reader's own zone. */
  timeZone: string
}

export const windowNames = ["24h", "7d", "30d", "90d"] as const

export type WindowName = (typeof windowNames)[number]

export const windowWords: Record<WindowName, string> = {
  "24h": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
  "90d": "90 days",
}

export function viewOf(params: Pick<URLSearchParams, "get">, timeZone = utc): MetricsView {
  const [from, to] = [day(params.get("from")), day(params.get("to"))]
  const ranged = from && to && from <= to && daysOf(from, to) <= customDaysMax
  return {
    window: windowNames.find((name) => name === params.get("window")) ?? "30d",
    from: ranged ? from : "",
    to: ranged ? to : "",
    domain: params.get("domain") ?? "",
    compare: params.get("compare") !== "off",
    timeZone,
  }
}

/** The address of a view, without what is the default. */
export function viewHref({ window, from, to, domain, compare }: Omit<MetricsView, "timeZone">): string {
  const params = new URLSearchParams({
    ...(from && to ? { from, to } : window === "30d" ? {} : { window }),
    ...(domain ? { domain } : {}),
    ...(compare ? {} : { compare: "off" }),
  })
  return params.size ? `?${params}` : ""
}

export const customDaysMax = 400

function day(text: string | null): string {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return ""
  const time = Date.parse(text)
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? "" : text
}

export function daysOf(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / dayMs + 1
}

/** The window as parameters of the API; the last day is included. */
export function periodQuery({ window, from, to, timeZone }: MetricsView) {
  if (!from || !to) return { window }
  return { from: midnightOf(from, timeZone), to: midnightOf(to, timeZone, 1) }
}

/** The days that a period touches, as the list of emails has them in its address. */
export function daysShown({ from, to, timeZone }: MetricsView, window: { from: string; to: string }) {
  if (from && to) return { since: from, until: to }
  return { since: dayIn(timeZone, new Date(window.from)), until: dayIn(timeZone, new Date(window.to)) }
}

/** The days as they are asked for; those of UTC are the API's own. */
function zoneQuery({ timeZone }: Pick<MetricsView, "timeZone">) {
  return timeZone === utc ? {} : { timeZone }
}

/** The window in words: "30 days". */
export function periodWords({ window, from, to }: MetricsView): string {
  if (!from || !to) return windowWords[window]
  const days = daysOf(from, to)
  return days === 1 ? "1 day" : `${days} days`
}

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
      ...{ from: weekBefore(from, view.timeZone), to: from, granularity: "day", ...zoneQuery(view) },
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
