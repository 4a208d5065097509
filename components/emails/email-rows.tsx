"use client"

import { useOpenedAt } from "@/components/ui/relative-time"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { type EmailFilters, isChosen, toChoice } from "@/components/emails/filters"
import { countsQuery, type Email } from "@/components/emails/queries"
import type { Selection } from "@/components/emails/selection"
import { dateWords } from "@/components/ui/time-words"
import { useLocalTime, useTimeZone } from "@/components/ui/local-time"
import { useInBrowser } from "@/components/ui/page-start"
import { wordsOf, piecesOf } from "@/lib/emails/search/rules"
import { formatNumber } from "@/lib/platform/format"
import { memo, type MouseEvent } from "react"
import { ShortTime } from "@/components/data/clock-time"
import { addressWithoutName, nameOf } from "@/components/emails/address"
import { statusWords } from "@/components/emails/status"
import { AddressText } from "@/components/ui/text"
import { Checkbox } from "@/components/ui/checkbox"
import { cn } from "@/components/ui/cn"
import { RowLink, TableRow } from "@/components/ui/table"
import { Tooltip } from "@/components/ui/tooltip"

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
  const { name, date } = dayWords(start, new Date(useOpenedAt()), local)
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
        <span>{name}</span>
        <span className="font-normal text-muted">{date}</span>
      </th>
      <td role="cell" className="ml-auto text-muted tabular-nums">
        {count === undefined ? null : `${count} ${count === "1" ? "email" : "emails"}`}
      </td>
    </tr>
  )
}

type Day<T> = {
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

type EmailRowProps = {
  email: Email
  href: string
  /** Folded words of the search. */
  words: readonly string[]
  selected: boolean
  /** Some row is selected. */
  selecting: boolean
  /** Shown beside the list. */
  open: boolean
  /** `range`: all from the last one up to this one. */
  onSelect: (id: string, range: boolean) => void
}

/** The address first and whole; only its name and the subject are ever cut. On a phone two lines. */
const EmailTableRow = memo(function EmailRow(props: EmailRowProps) {
  const { email, href, words, selected, selecting, open, onSelect } = props
  const local = useLocalTime()
  const [to = ""] = email.to
  const others = email.to.length + (email.cc?.length ?? 0) + (email.bcc?.length ?? 0) - 1
  const reason = reasonOf(email, local)
  const select = (event: MouseEvent) => onSelect(email.id, event.shiftKey)
  return (
    <TableRow
      role="row"
      href={href}
      selected={selected}
      data-email={email.id}
      className={cn("group", grid, open && !selected && "bg-wait-soft", open && "shadow-[inset_3px_0_var(--accent)]")}
    >
      <Cell className="row-span-2 flex @2xl:row-span-1">
        <Checkbox
          label={`Select ${addressWithoutName(to)}, ${email.subject}`}
          hideLabel
          tabIndex={-1}
          checked={selected}
          onChange={() => undefined}
          onClick={select}
          className={cn(
            "[&>span]:mt-0",
            !selecting &&
              "opacity-0 group-hover:opacity-100 group-focus:opacity-100 focus-within:opacity-100 pointer-coarse:opacity-100",
          )}
        />
      </Cell>
      <Cell className="col-span-2 flex min-w-0 gap-2 @2xl:col-span-1">
        <RowLink href={href} prefetch={false} className="min-w-0 shrink-0 [overflow-wrap:anywhere] max-w-full">
          {words.length > 0 ? (
            <Marked text={addressWithoutName(to)} words={words} />
          ) : (
            <AddressText address={addressWithoutName(to)} />
          )}
        </RowLink>
        {others > 0 ? <span className="shrink-0 text-muted">+{others}</span> : null}
        <span className="hidden min-w-0 truncate text-muted @2xl:block">
          <Marked text={nameOf(to)} words={words} />
        </span>
      </Cell>
      <Cell className="col-span-2 col-start-3 row-start-2 flex min-w-0 gap-2 justify-self-end @2xl:col-span-1 @2xl:col-start-auto @2xl:row-start-auto @2xl:justify-self-auto">
        <StatusWord status={email.status} detail={reason} />
        <span className="hidden truncate text-muted @min-[76rem]:block" title={reason}>
          {reason}
        </span>
      </Cell>
      <Cell
        className="col-start-2 row-start-2 truncate text-muted @2xl:col-start-auto @2xl:row-start-auto @2xl:text-text"
        title={email.subject}
      >
        <Marked text={email.subject} words={words} />
      </Cell>
      <Cell className="hidden truncate text-muted @6xl:block" title={email.from}>
        <Marked text={addressWithoutName(email.from)} words={words} />
      </Cell>
      <Cell className="col-start-4 row-start-1 text-right text-muted @2xl:col-start-auto @2xl:row-start-auto">
        <ShortTime at={email.createdAt} />
      </Cell>
    </TableRow>
  )
})

const grid =
  "grid min-h-16 scroll-mt-24 scroll-mb-20 lg:scroll-mt-10 grid-cols-[20px_minmax(0,1fr)_auto_auto] content-center items-center gap-x-3 border-b border-line px-4 py-2 sm:px-6 lg:px-10 " +
  "@2xl:min-h-10 @2xl:gap-x-4 @2xl:grid-cols-[16px_minmax(0,6fr)_104px_minmax(0,4fr)_40px] " +
  "@6xl:grid-cols-[16px_minmax(0,6fr)_104px_minmax(0,5fr)_minmax(0,4fr)_40px] " +
  "@min-[76rem]:grid-cols-[16px_minmax(0,6fr)_minmax(0,4fr)_minmax(0,6fr)_minmax(0,4fr)_40px]"

function Cell({ className, ...rest }: React.ComponentProps<"td">) {
  return <td role="cell" className={cn("block", className)} {...rest} />
}

/** The state of a row: a dot and a word, coloured only where somebody should look; on hover what it means. */
function StatusWord({ status, detail }: { status: string; detail?: string }) {
  const { word, tone, means, todo } = statusWords(status)
  const tip = [detail, means, todo].filter(Boolean).join(" ")
  return (
    <Tooltip text={tip}>
      <span className="flex items-center gap-2 whitespace-nowrap">
        <span aria-hidden="true" className={cn("size-2 shrink-0 rounded-full", dotColor[tone])} />
        <span className={wordColor[tone]}>{word}</span>
        <span className="sr-only">. {tip}</span>
      </span>
    </Tooltip>
  )
}

const dotColor = { wait: "bg-wait", warn: "bg-warn", good: "bg-good", bad: "bg-bad" }
const wordColor = { wait: "", warn: "text-warn", good: "", bad: "text-bad" }

/** A text with the words of the search tinted. */
function Marked({ text, words }: { text: string; words: readonly string[] }) {
  if (words.length === 0) return text
  return piecesOf(text, words).map(({ text: piece, found }, index) =>
    found ? (
      <mark key={index} className="rounded-xs bg-accent/15 py-px text-text">
        {piece}
      </mark>
    ) : (
      piece
    ),
  )
}

/** What a row says beside the status: when it leaves, or why it did not arrive; empty where there is nothing to say. */
export function reasonOf({ status, scheduledAt, error }: Email, local: boolean): string {
  if (status !== "scheduled" || !scheduledAt) return error ?? ""
  return dateWords(scheduledAt, {
    weekday: "long",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: local ? undefined : "UTC",
  })
}
