import { infiniteQueryOptions } from "@tanstack/react-query"
import { call } from "@/components/api/call"
import { query } from "@/components/api/query"
import type { CallAnswer } from "@/components/api/route"
import { useCall } from "@/components/api/use-call"

const LIST = "GET /v1/projects/{projectId}/topics"
const ONE = "GET /v1/projects/{projectId}/topics/{topicId}"
const MEMBERS = "GET /v1/projects/{projectId}/topics/{topicId}/contacts"

export type Topic = CallAnswer<typeof ONE>

export const topicListQuery = (projectId: string, page = 1) =>
  query(LIST, { params: { projectId }, query: { page, size: 20 } })

export const topicQuery = (projectId: string, topicId: string) => query(ONE, { params: { projectId, topicId } })

const PERFORMANCE = "GET /v1/metrics/topics/{id}"

export type TopicPerformance = CallAnswer<typeof PERFORMANCE>
export type TopicWindow = TopicPerformance["window"]["label"]

export const topicPerformanceQuery = (projectId: string, topicId: string, window: TopicWindow = "30d") =>
  query(PERFORMANCE, { params: { id: topicId }, query: { window, projectId } })

/** Who has opted in, a page at a time by the API's cursors. */
export function topicMembersQuery(projectId: string, topicId: string) {
  return infiniteQueryOptions({
    queryKey: [MEMBERS, { params: { projectId, topicId } }] as const,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      call(
        MEMBERS,
        { params: { projectId, topicId }, query: { size: 50, ...(pageParam ? { after: pageParam } : {}) } },
        signal,
      ),
    getNextPageParam: (last: CallAnswer<typeof MEMBERS>) => last.cursor.nextCursor,
  })
}

const PROJECT = "GET /v1/projects/{projectId}"
const PREVIEW = "GET /v1/projects/{projectId}/preference-page"

export type Project = CallAnswer<typeof PROJECT>

export const projectQuery = (projectId: string) => query(PROJECT, { params: { projectId } })

export const previewQuery = (projectId: string) => query(PREVIEW, { params: { projectId } })

export const useBrand = () => useCall("PATCH /v1/projects/{projectId}", [PROJECT, PREVIEW])

export const useCreateTopic = () => useCall("POST /v1/projects/{projectId}/topics", [LIST, PREVIEW])

export const useUpdateTopic = () => useCall("PATCH /v1/projects/{projectId}/topics/{topicId}", [LIST, ONE, PREVIEW])

export const useDeleteTopic = () => useCall("DELETE /v1/projects/{projectId}/topics/{topicId}", [LIST, PREVIEW])
