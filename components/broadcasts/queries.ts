import { queryOptions } from "@tanstack/react-query"
import { call, type CallAnswer } from "@/components/data/call"
import { query } from "@/components/data/query"

const listRoute = "GET /v1/projects/{projectId}/broadcasts"

export type BroadcastItem = CallAnswer<typeof listRoute>["data"][number]
export type Broadcast = CallAnswer<"GET /v1/projects/{projectId}/broadcasts/{broadcastId}">

export function broadcastsQuery(projectId: string, page = 1) {
  return query(listRoute, { params: { projectId }, query: { page, size: 20 } })
}

export function broadcastQuery(projectId: string, broadcastId: string) {
  return query("GET /v1/projects/{projectId}/broadcasts/{broadcastId}", { params: { projectId, broadcastId } })
}

/** The links that people followed, with how many did. */
export function broadcastLinksQuery(projectId: string, broadcastId: string) {
  return query("GET /v1/projects/{projectId}/broadcasts/{broadcastId}/links", { params: { projectId, broadcastId } })
}

const previewRoute = "POST /v1/projects/{projectId}/broadcasts/{broadcastId}/preview"

/** What this contact, or else the first person of its audience, gets. */
export function broadcastPreviewQuery(
  projectId: string,
  { id, updatedAt }: Pick<Broadcast, "id" | "updatedAt">,
  contactId: string,
) {
  const input = { params: { projectId, broadcastId: id }, body: contactId ? { contactId } : {} }
  return queryOptions({
    queryKey: [previewRoute, input, updatedAt] as const,
    queryFn: ({ signal }) => call(previewRoute, input, signal),
    staleTime: 10_000,
    retry: false,
  })
}
