import { infiniteQueryOptions } from "@tanstack/react-query"
import { call, type CallAnswer } from "@/components/data/call"
import { query } from "@/components/data/query"
import { useCall } from "@/components/data/use-call"
import type { Subscription } from "@/lib/consent/rules"

const listRoute = "GET /v1/projects/{projectId}/topics"
const one = "GET /v1/projects/{projectId}/topics/{topicId}"
const members = "GET /v1/projects/{projectId}/topics/{topicId}/contacts"

export type Topic = CallAnswer<typeof one>

export const topicListQuery = (projectId: string, page = 1) =>
  query(listRoute, { params: { projectId }, query: { page, size: 20 } })

export const topicQuery = (projectId: string, topicId: string) => query(one, { params: { projectId, topicId } })

const performance = "GET /v1/metrics/topics/{id}"

export type TopicPerformance = CallAnswer<typeof performance>
export type TopicWindow = TopicPerformance["window"]["label"]

export const topicPerformanceQuery = (projectId: string, topicId: string, window: TopicWindow = "30d") =>
  query(performance, { params: { id: topicId }, query: { window, projectId } })

export type TopicMember = CallAnswer<typeof members>["data"][number]

/** Who has opted in or out themselves, a page at a time by the API's cursors. */
export function topicMembersQuery(projectId: string, topicId: string, subscription: Subscription) {
  const first = { params: { projectId, topicId }, query: { size: 10, subscription } }
  return infiniteQueryOptions({
    queryKey: [members, first] as const,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      call(members, { ...first, query: { ...first.query, ...(pageParam ? { after: pageParam } : {}) } }, signal),
    getNextPageParam: (last: CallAnswer<typeof members>) => last.cursor.nextCursor,
  })
}

const project = "GET /v1/projects/{projectId}"
const preview = "GET /v1/projects/{projectId}/preference-page"

export type Project = CallAnswer<typeof project>

export const projectQuery = (projectId: string) => query(project, { params: { projectId } })

export const preferencePreviewQuery = (projectId: string) => query(preview, { params: { projectId } })

export const useBrand = () => useCall("PATCH /v1/projects/{projectId}", [project, preview])

export const useCreateTopic = () => useCall("POST /v1/projects/{projectId}/topics", [listRoute, preview])

export const useUpdateTopic = () =>
  useCall("PATCH /v1/projects/{projectId}/topics/{topicId}", [listRoute, one, preview])

export const useDeleteTopic = () => useCall("DELETE /v1/projects/{projectId}/topics/{topicId}", [listRoute, preview])
