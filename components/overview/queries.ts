import { dayMs } from "@/lib/platform/time"
import { query } from "@/components/data/query"
import { metricsTimeline } from "@/components/metrics/queries"

/** The last seven whole UTC days and the seven before, so that a partial day never looks like a decline. */
export function weekQuery(projectId: string) {
  const midnight = Math.floor(Date.now() / dayMs) * dayMs
  const [from, to] = [midnight - 7 * dayMs, midnight].map((at) => new Date(at).toISOString())
  return query("GET /v1/metrics/summary", { query: { from, to, compare: "previous", projectId } })
}

/** The days of what Metrics shows first. */
export function monthQuery(projectId: string) {
  return metricsTimeline(projectId, { window: "30d", from: "", to: "", domain: "", compare: true })
}

export function keysQuery(projectId: string) {
  return query("GET /v1/projects/{projectId}/api-keys", { params: { projectId } })
}

/** Where email of the project waits, since mail servers are away or have asked us to slow down. */
export function waitingQuery(projectId: string) {
  return query("GET /v1/projects/{projectId}/waiting-destinations", { params: { projectId } })
}
