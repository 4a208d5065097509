"use client"

import { useQuery } from "@tanstack/react-query"
import { problemOf } from "@/components/data/problem"
import { allSegmentsQuery, previewQuery, topicsQuery } from "@/components/segments/queries"
import { audienceIn } from "@/components/compose/addresses"
import { askedOf, type Audience } from "@/components/compose/audience"

/** The topics and segments that may be in To. */
export function useAudiences(projectId: string): { id: string; name: string; kind: "Segment" | "Topic" }[] {
  const segments = useQuery(allSegmentsQuery(projectId)).data?.data ?? []
  const topics = useQuery(topicsQuery(projectId)).data?.data ?? []
  return [
    ...segments.map(({ id, name }) => ({ id, name, kind: "Segment" as const })),
    ...topics.map(({ id, name }) => ({ id, name, kind: "Topic" as const })),
  ]
}

/** The audience of a send to the topic or segment in To, optionally limited to a topic; undefined if To has addresses. */
export function useAudience(projectId: string, to: string, topicId: string): Audience | undefined {
  const id = audienceIn(to)
  const names = useAudiences(projectId)
  const { data, error } = useQuery({ ...previewQuery(projectId, askedOf(to, topicId)), placeholderData: undefined })
  if (id === null) return undefined
  const name = names.find((one) => one.id === id)?.name
  return {
    id,
    ...(data ? { preview: data } : {}),
    ...(error ? { refused: problemOf(error).errors?.[0]?.detail ?? problemOf(error).title } : {}),
    ...(name === undefined ? {} : { name }),
  }
}
