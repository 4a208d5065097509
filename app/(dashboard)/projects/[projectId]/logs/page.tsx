import type { Metadata } from "next"
import { createLoader, type SearchParams } from "nuqs/server"
import { Suspense } from "react"
import { keyList } from "@/components/api-keys/queries"
import { Prefetch } from "@/components/api/prefetch"
import { AddressAdapter } from "@/components/layout/address-adapter"
import { requestFilters } from "@/components/logs/filters"
import { LogsHeader } from "@/components/logs/logs-header"
import { requestsQuery } from "@/components/logs/queries"
import { RequestLog } from "@/components/logs/request-log"
import { Card } from "@/components/ui/card"
import { SkeletonRows } from "@/components/ui/skeleton"

export const metadata: Metadata = { title: "Request log" }

type Props = { params: Promise<{ projectId: string }>; searchParams: Promise<SearchParams> }

const loadFilters = createLoader(requestFilters)

export default async function LogsPage({ params, searchParams }: Props) {
  const { projectId } = await params
  const filters = await loadFilters(searchParams)
  return (
    <>
      <LogsHeader projectId={projectId} />
      <Suspense
        fallback={
          <Card>
            <SkeletonRows rows={8} label="Loading requests" />
          </Card>
        }
      >
        <Prefetch queries={[requestsQuery(projectId, filters), keyList(projectId)]}>
          <AddressAdapter>
            <RequestLog projectId={projectId} />
          </AddressAdapter>
        </Prefetch>
      </Suspense>
    </>
  )
}
