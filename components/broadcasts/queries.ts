import { query } from "@/components/data/query"
import type { CallAnswer } from "@/components/data/call"

const listRoute = "GET /v1/projects/{projectId}/broadcasts"

export type BroadcastItem = CallAnswer<typeof listRoute>["data"][number]
export type Broadcast = CallAnswer<"GET /v1/projects/{projectId}/broadcasts/{broadcastId}">

export function broadcastsQuery(projectId: string, page = 1) {
  return query(listRoute, { params: { projectId }, query: { page, size: 20 } })
}

export function broadcastQuery(projectId: string, broadcastId: string) {
  return query("GET /v1/projects/{projectId}/broadcasts/{broadcastId}", { params: { projectId, broadcastId } })
}
