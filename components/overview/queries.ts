import { query } from "@/components/api/query"

export function summaryQuery(projectId: string) {
  return query("GET /v1/metrics/summary", { query: { window: "7d", compare: "previous", projectId } })
}

export function timelineQuery(projectId: string) {
  return query("GET /v1/metrics/timeline", {
    query: { window: "7d", granularity: "day", format: "compact", projectId },
  })
}

export function keysQuery(projectId: string) {
  return query("GET /v1/projects/{projectId}/api-keys", { params: { projectId } })
}
