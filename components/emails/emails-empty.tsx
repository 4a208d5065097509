"use client"

import { Mail } from "lucide-react"
import { isFiltered, type EmailFilters } from "@/components/emails/filters"
import { type Sending, useFirstCurl } from "@/components/emails/use-first-curl"
import { Button } from "@/components/ui/button"
import { EmptyState } from "@/components/ui/empty-state"

type EmailsEmptyProps = { projectId: string; sending: Sending; filters: EmailFilters; onClear: () => void }

/** Instead of rows: that nothing matches, or what the log of a project will hold that has sent nothing. */
export function EmailsEmpty({ projectId, sending, filters, onClear }: EmailsEmptyProps) {
  if (!isFiltered(filters)) return <NoEmails projectId={projectId} sending={sending} />
  const { search } = filters
  return (
    <EmptyState
      title={search ? `No emails match “${search}”` : "No email matches"}
      action={<Button onClick={onClear}>{search ? "Clear search" : "Clear filters"}</Button>}
    >
      Each word of a search must occur somewhere in the recipient, the sender, the subject, the ID or a tag.
    </EmptyState>
  )
}

function NoEmails({ projectId, sending }: { projectId: string; sending: Sending }) {
  return (
    <EmptyState icon={<Mail />} title="No emails yet" curl={useFirstCurl(projectId, sending)}>
      Every email that this project sends is listed here, with its status and the responses of mail servers.
    </EmptyState>
  )
}
