import type { Metadata } from "next"
import { createLoader, type SearchParams } from "nuqs/server"
import { Suspense } from "react"
import { Prefetch } from "@/components/api/prefetch"
import { AddressAdapter } from "@/components/layout/address-adapter"
import { AuditLog } from "@/components/logs/audit-log"
import { auditFilters } from "@/components/logs/filters"
import { LogsHeader } from "@/components/logs/logs-header"
import { auditQuery } from "@/components/logs/queries"
import { Card } from "@/components/ui/card"
import { SkeletonRows } from "@/components/ui/skeleton"

export const metadata: Metadata = { title: "Audit log" }

type Props = { params: Promise<{ projectId: string }>; searchParams: Promise<SearchParams> }

const loadFilters = createLoader(auditFilters)

export default async function AuditPage({ params, searchParams }: Props) {
  const { projectId } = await params
  const filters = await loadFilters(searchParams)
  return (
    <>
      <LogsHeader projectId={projectId} />
      <Suspense
        fallback={
          <Card>
            <SkeletonRows rows={8} label="Loading audit entries" />
          </Card>
        }
      >
        <Prefetch queries={[auditQuery(projectId, filters)]}>
          <AddressAdapter>
            <AuditLog projectId={projectId} />
          </AddressAdapter>
        </Prefetch>
      </Suspense>
    </>
  )
}
