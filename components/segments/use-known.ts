import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import type { Known } from "@/components/segments/conditions"
import { allSegmentsQuery, propertiesQuery, topicsQuery } from "@/components/segments/queries"

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
