"use client"

import { useQuery } from "@tanstack/react-query"
import { problemOf } from "@/components/api/problem"
import { previewQuery, segmentsQuery, topicsQuery } from "@/components/segments/queries"
import { audienceIn, type Audience } from "./audience"

/** The topics and segments that may stand in To. */
export function useAudiences(projectId: string): { id: string; name: string; kind: "Segment" | "Topic" }[] {
  const segments = useQuery(segmentsQuery(projectId)).data?.data ?? []
  const topics = useQuery(topicsQuery(projectId)).data?.data ?? []
  return [
    ...segments.map(({ id, name }) => ({ id, name, kind: "Segment" as const })),
    ...topics.map(({ id, name }) => ({ id, name, kind: "Topic" as const })),
  ]
}

/** What a send to the topic or segment in To would come to; undefined where addresses stand there. */
export function useAudience(projectId: string, to: string): Audience | undefined {
  const id = audienceIn(to)
  const names = useAudiences(projectId)
  const asked = id === null ? null : id.startsWith("seg_") ? { segmentId: id } : { topicId: id }
  const { data, error } = useQuery({ ...previewQuery(projectId, asked), placeholderData: undefined })
  if (id === null) return undefined
  const name = names.find((one) => one.id === id)?.name
  return {
    id,
    ...(data ? { preview: data } : {}),
    ...(error ? { refused: problemOf(error).errors?.[0]?.detail ?? problemOf(error).title } : {}),
    ...(name === undefined ? {} : { name }),
  }
}
