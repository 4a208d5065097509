"use client"

import { Download } from "lucide-react"
import { useQueryStates } from "nuqs"
import { exportAddress } from "@/components/emails/queries"
import { emailFilters, toListQuery } from "@/components/emails/filters"
import { AddressAdapter } from "@/components/layout/address-adapter"
import { buttonStyle } from "@/components/ui/button-style"

/** The whole log, or what the filters of the address leave of it. */
export function ExportEmails({ projectId }: { projectId: string }) {
  return (
    <AddressAdapter>
      <ExportLink projectId={projectId} />
    </AddressAdapter>
  )
}

function ExportLink({ projectId }: { projectId: string }) {
  const [filters] = useQueryStates(emailFilters)
  const { page: _page, size: _size, ...choice } = toListQuery(filters)
  return (
    <a href={exportAddress(projectId, choice)} download className={buttonStyle({})}>
      <Download />
      Export
    </a>
  )
}
