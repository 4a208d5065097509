import type { Metadata } from "next"
import { createLoader, type SearchParams } from "nuqs/server"
import { AuditLog } from "@/components/logs/audit-log"
import { auditFilters, auditQuery } from "@/components/logs/queries"
import { LogPage } from "@/components/logs/log-page"
import { utc } from "@/components/data/day-filters"

export const metadata: Metadata = { title: "Audit log" }

type Props = { params: Promise<{ projectId: string }>; searchParams: Promise<SearchParams> }

const loadFilters = createLoader(auditFilters)

export default async function AuditPage({ params, searchParams }: Props) {
  const { projectId } = await params
  const filters = await loadFilters(searchParams)
  return (
    <LogPage projectId={projectId} queries={[auditQuery(projectId, filters, utc)]}>
      <AuditLog projectId={projectId} />
    </LogPage>
  )
}
