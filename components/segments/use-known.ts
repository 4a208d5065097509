import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import type { Known } from "@/components/segments/conditions"
import { propertiesQuery, topicsQuery } from "@/components/segments/queries"

/** The project's properties and topics, which filters name. */
export function useKnown(projectId: string): Known {
  const properties = useQuery(propertiesQuery(projectId)).data?.data
  const topics = useQuery(topicsQuery(projectId)).data?.data
  return useMemo(() => ({ properties: properties ?? [], topics: topics ?? [] }), [properties, topics])
}
