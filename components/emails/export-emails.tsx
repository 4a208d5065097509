"use client"

import { Download } from "lucide-react"
import { useQueryStates } from "nuqs"
import { exportAddress } from "@/components/emails/queries"
import { emailFilters, emailListQuery } from "@/components/emails/filters"
import { NuqsAdapter } from "nuqs/adapters/next/app"
import { buttonStyle } from "@/components/ui/button-style"

/** The whole log, or what the filters of the address leave of it. */
export function ExportEmails({ projectId }: { projectId: string }) {
  return (
    <NuqsAdapter>
      <ExportLink projectId={projectId} />
    </NuqsAdapter>
  )
}

function ExportLink({ projectId }: { projectId: string }) {
  const [filters] = useQueryStates(emailFilters)
  const { page: _page, size: _size, ...choice } = emailListQuery(filters)
  return (
    <a href={exportAddress(projectId, choice)} download className={buttonStyle({})}>
      <Download />
      Export
    </a>
  )
}
