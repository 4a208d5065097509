import type { Metadata } from "next"
import { createLoader, type SearchParams } from "nuqs/server"
import { keyList } from "@/components/api-keys/queries"
import { requestFilters, requestsQuery } from "@/components/logs/queries"
import { LogPage } from "@/components/logs/log-page"
import { utc } from "@/components/data/day-filters"
import { RequestLog } from "@/components/logs/request-log"

export const metadata: Metadata = { title: "Request log" }

type Props = { params: Promise<{ projectId: string }>; searchParams: Promise<SearchParams> }

const loadFilters = createLoader(requestFilters)

export default async function LogsPage({ params, searchParams }: Props) {
  const { projectId } = await params
  const filters = await loadFilters(searchParams)
  return (
    <LogPage projectId={projectId} queries={[requestsQuery(projectId, filters, utc), keyList(projectId)]}>
      <RequestLog projectId={projectId} />
    </LogPage>
  )
}
