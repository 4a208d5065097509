"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { formatNumber } from "@/lib/platform/format"
import { dayWords } from "@/components/emails/days"
import { isChosen, toChoice, type EmailFilters } from "@/components/emails/filters"
import { countsQuery } from "@/components/emails/queries"
import { useInBrowser } from "@/components/ui/use-in-browser"

type DayHeadingProps = {
  projectId: string
  filters: EmailFilters
  start: string
  end: string
  /** Emails of the day on this page. */
  shown: number
  /** The day continues on the previous or next page. */
  partial: boolean
}

/** The day of the rows below it, with its number of emails, those of other pages included. */
export function DayHeading({ projectId, filters, start, end, shown, partial }: DayHeadingProps) {
  const local = useInBrowser()
  const { name, date } = dayWords(start, new Date(), local)
  const choice = toChoice(filters)
  const counts = useQuery({
    ...countsQuery(projectId, {
      ...choice,
      after: choice.after > start ? choice.after : start,
      before: choice.before && choice.before < end ? choice.before : end,
    }),
    // The days of the server are not those of the reader.
    enabled: partial && local,
    placeholderData: keepPreviousData,
  }).data
  const counted = counts?.statuses.reduce((sum, { status, count }) => sum + (isChosen(filters, status) ? count : 0), 0)
  const count = partial ? counts && `${formatNumber(counted ?? 0)}${counts.complete ? "" : "+"}` : String(shown)
  return (
    <tr
      role="row"
      className="sticky top-12.25 z-10 flex h-8 items-center gap-2 border-b border-line bg-sunken pr-4 pl-4 text-xs sm:px-6 lg:top-0 lg:px-10"
    >
      <th role="rowheader" scope="rowgroup" className="flex gap-2 text-left font-semibold">
        <span suppressHydrationWarning>{name}</span>
        <span className="font-normal text-muted" suppressHydrationWarning>
          {date}
        </span>
      </th>
      <td role="cell" className="ml-auto text-muted tabular-nums">
        {count === undefined ? null : `${count} ${count === "1" ? "email" : "emails"}`}
      </td>
    </tr>
  )
}
