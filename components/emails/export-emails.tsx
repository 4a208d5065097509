"use client"

import { useQueryStates } from "nuqs"
import { ExportLink } from "@/components/data/export-link"
import { exportAddress } from "@/components/emails/queries"
import { emailFilters, emailListQuery } from "@/components/emails/filters"
import { NuqsAdapter } from "nuqs/adapters/next/app"
import { useTimeZone } from "@/components/ui/local-time"

/** The whole log, or what the filters of the address leave of it. */
export function ExportEmails({ projectId }: { projectId: string }) {
  return (
    <NuqsAdapter>
      <FilteredExport projectId={projectId} />
    </NuqsAdapter>
  )
}

function FilteredExport({ projectId }: { projectId: string }) {
  const [filters] = useQueryStates(emailFilters)
  const { page: _page, size: _size, ...choice } = emailListQuery(filters, useTimeZone())
  return <ExportLink href={exportAddress(projectId, choice)} />
}
