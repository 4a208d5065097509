"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { EmailTableRow } from "@/components/emails/email-row"
import { type EmailFilters, isChosen, toChoice } from "@/components/emails/filters"
import { countsQuery, type Email } from "@/components/emails/queries"
import type { Selection } from "@/components/emails/selection"
import { dateWords } from "@/components/ui/date-words"
import { useLocalTime, useTimeZone } from "@/components/ui/local-time"
import { useInBrowser } from "@/components/ui/use-in-browser"
import { wordsOf } from "@/lib/emails/search/fold-rules"
import { formatNumber } from "@/lib/platform/format"

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
  const local = useLocalTime()
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
            <EmailTableRow
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
function DayHeading({ projectId, filters, start, end, shown, partial }: DayHeadingProps) {
  const local = useLocalTime()
  const known = useInBrowser()
  const { name, date } = dayWords(start, new Date(), local)
  const choice = toChoice(filters, useTimeZone())
  const counts = useQuery({
    ...countsQuery(projectId, {
      ...choice,
      after: choice.after > start ? choice.after : start,
      before: choice.before && choice.before < end ? choice.before : end,
    }),
    // The days of the server are not those of the reader.
    enabled: partial && known,
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

export type Day<T> = {
  /** The moment at which it begins, ISO. */
  start: string
  /** The moment at which the next one begins, ISO. */
  end: string
  items: T[]
}

/** Things in the order given, by the calendar day of their time: of the reader's time zone, or of UTC. */
export function byDay<T extends { createdAt: string }>(items: readonly T[], local: boolean): Day<T>[] {
  const days: Day<T>[] = []
  for (const item of items) {
    const last = days.at(-1)
    if (last && item.createdAt >= last.start && item.createdAt < last.end) last.items.push(item)
    else days.push({ ...boundsOf(new Date(item.createdAt), local), items: [item] })
  }
  return days
}

/** "Today" and "Yesterday" by name, any other by its weekday; then the date, with the year only if it is not this one. */
export function dayWords(start: string, now: Date, local: boolean): { name: string; date: string } {
  const timeZone = local ? undefined : "UTC"
  const at = new Date(start)
  const today = boundsOf(now, local).start
  const yesterday = boundsOf(new Date(Date.parse(today) - 1), local).start
  const weekday = dateWords(at, { weekday: "long", timeZone })
  const sameYear = part(at, "year", timeZone) === part(now, "year", timeZone)
  const date = dateWords(at, {
    day: "numeric",
    month: "long",
    ...(sameYear ? {} : { year: "numeric" }),
    timeZone,
  })
  if (start === today) return { name: "Today", date: `${weekday} ${date}` }
  if (start === yesterday) return { name: "Yesterday", date: `${weekday} ${date}` }
  return { name: weekday, date }
}

function part(at: Date, name: "year", timeZone: string | undefined): string {
  return dateWords(at, { [name]: "numeric", timeZone })
}

function boundsOf(at: Date, local: boolean): { start: string; end: string } {
  const [year, month, day] = local
    ? [at.getFullYear(), at.getMonth(), at.getDate()]
    : [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
  const begin = (date: number) => (local ? new Date(year, month, date) : new Date(Date.UTC(year, month, date)))
  return { start: begin(day).toISOString(), end: begin(day + 1).toISOString() }
}
