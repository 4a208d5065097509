import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query"
import { call, type CallAnswer, type CallInput } from "@/components/data/call"
import { query, wholeList } from "@/components/data/query"
import { useMemo } from "react"
import type { Known } from "@/components/segments/conditions"

export const segmentsRoute = "GET /v1/projects/{projectId}/segments"
export const segmentRoute = "GET /v1/projects/{projectId}/segments/{segmentId}"
export const membersRoute = "GET /v1/projects/{projectId}/segments/{segmentId}/contacts"
const previewRoute = "POST /v1/projects/{projectId}/segments/preview"

export type Segment = CallAnswer<typeof segmentRoute>
export type MemberPage = CallAnswer<typeof membersRoute>
export type SegmentPreview = CallAnswer<typeof previewRoute>
type Asked = NonNullable<CallInput<typeof previewRoute>["body"]>

export function segmentsQuery(projectId: string, page = 1) {
  return query(segmentsRoute, { params: { projectId }, query: { page, size: 50 } })
}

export function segmentQuery(projectId: string, segmentId: string) {
  return query(segmentRoute, { params: { projectId, segmentId } })
}

/** All segments, to choose among. */
export function allSegmentsQuery(projectId: string) {
  return wholeList(segmentsRoute, { params: { projectId } })
}

/** Everything that the filter builder can use. */
export function propertiesQuery(projectId: string) {
  return wholeList("GET /v1/projects/{projectId}/contact-properties", { params: { projectId } })
}

/** The most frequent values of a property. */
export function propertyValuesQuery(projectId: string, propertyId: string) {
  return query("GET /v1/projects/{projectId}/contact-properties/{propertyId}/values", {
    params: { projectId, propertyId },
  })
}

export function topicsQuery(projectId: string) {
  return wholeList("GET /v1/projects/{projectId}/topics", { params: { projectId } })
}

/** A preview of an audience; by POST, because a filter may be too long for a URL. */
export function segmentPreviewQuery(projectId: string, body: Asked | null) {
  return queryOptions<SegmentPreview>({
    queryKey: [previewRoute, { params: { projectId }, body }],
    queryFn: ({ signal }) => call(previewRoute, { params: { projectId }, body: body ?? {} }, signal),
    enabled: body !== null,
    staleTime: 10_000,
    retry: false,
    placeholderData: keepPreviousData,
  })
}

/** The project's properties, topics and segments, which filters name; not the segment whose filter it is. */
export function useKnown(projectId: string, own?: string): Known {
  const properties = useQuery(propertiesQuery(projectId)).data?.data
  const topics = useQuery(topicsQuery(projectId)).data?.data
  const segments = useQuery(allSegmentsQuery(projectId)).data?.data
  return useMemo(
    () => ({
      projectId,
      properties: properties ?? [],
      topics: topics ?? [],
      segments: (segments ?? []).filter(({ id }) => id !== own),
    }),
    [projectId, properties, topics, segments, own],
  )
}
