"use client"

import { useQueryStates } from "nuqs"
import { contactFilters, contactListQuery } from "@/components/contacts/filters"
import { addressOf } from "@/components/data/call"
import { ExportLink } from "@/components/data/export-link"

/** All contacts, or what the filters of the address leave of them; the browser takes it as a download while it is being read. */
export function ExportContacts({ projectId }: { projectId: string }) {
  const [filters] = useQueryStates(contactFilters)
  const query = contactListQuery(filters)
  return (
    <ExportLink
      href={addressOf("GET /v1/projects/{projectId}/contacts/export", { params: { projectId }, query }).address}
    />
  )
}
