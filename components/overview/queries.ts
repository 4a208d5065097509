import { query } from "@/components/api/query"

export function summaryQuery(projectId: string) {
  return query("GET /v1/metrics/summary", { query: { window: "7d", projectId } })
}

export function keysQuery(projectId: string) {
  return query("GET /v1/projects/{projectId}/api-keys", { params: { projectId } })
}
