"use client"

import { byDay } from "@/components/emails/days"
import { DayHeading } from "@/components/emails/day-heading"
import { EmailRow } from "@/components/emails/email-row"
import type { EmailFilters } from "@/components/emails/filters"
import type { Selection } from "@/components/emails/selection"
import type { Email } from "@/components/emails/types"
import { useInBrowser } from "@/components/ui/use-in-browser"
import { wordsOf } from "@/lib/emails/search/fold-rules"

type EmailRowsProps = {
  projectId: string
  filters: EmailFilters
  emails: Email[]
  hasNext: boolean
  selection: Selection
  onSelect: (id: string, range: boolean) => void
}

/** Emails, newest first, below the days on which they were accepted. */
export function EmailRows({ projectId, filters, emails, hasNext, selection, onSelect }: EmailRowsProps) {
  const local = useInBrowser()
  const days = byDay(emails, local)
  const words = wordsOf(filters.search)
  const selecting = selection.all || selection.ids.length > 0
  return (
    // Rows are grids, which takes the roles of a table from them.
    <table role="table" aria-label="Emails" className="block w-full">
      <thead role="rowgroup" className="sr-only">
        <tr role="row">
          {["Selected", "To", "Status", "Subject", "From", "Accepted"].map((name) => (
            <th key={name} role="columnheader" scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      {days.map(({ start, end, items }, index) => (
        <tbody key={start} role="rowgroup" className="block">
          <DayHeading
            projectId={projectId}
            filters={filters}
            start={start}
            end={end}
            shown={items.length}
            partial={(index === 0 && filters.page > 1) || (index === days.length - 1 && hasNext)}
          />
          {items.map((email) => (
            <EmailRow
              key={email.id}
              email={email}
              href={`/projects/${projectId}/emails/${email.id}`}
              words={words}
              selected={selection.all || selection.ids.includes(email.id)}
              selecting={selecting}
              open={filters.peek === email.id}
              onSelect={onSelect}
            />
          ))}
        </tbody>
      ))}
    </table>
  )
}
