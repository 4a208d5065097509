import { dayIn, midnightOf, utc } from "@/components/data/day-filters"
import { query } from "@/components/data/query"
import { metricsTimeline } from "@/components/metrics/queries"

/** The last seven whole days and the seven before, so that a partial day never looks like a decline. */
export function weekQuery(projectId: string, timeZone = utc) {
  const today = dayIn(timeZone, new Date())
  const [from, to] = [midnightOf(today, timeZone, -7), midnightOf(today, timeZone)]
  return query("GET /v1/metrics/summary", { query: { from, to, compare: "previous", projectId } })
}

/** The days of what Metrics shows first. */
export function monthQuery(projectId: string, timeZone = utc) {
  return metricsTimeline(projectId, { window: "30d", from: "", to: "", domain: "", compare: true, timeZone })
}

export function keysQuery(projectId: string) {
  return query("GET /v1/projects/{projectId}/api-keys", { params: { projectId } })
}

/** Where email of the project waits, since mail servers are away or have asked us to slow down. */
export function waitingQuery(projectId: string) {
  return query("GET /v1/projects/{projectId}/waiting-destinations", { params: { projectId } })
}
