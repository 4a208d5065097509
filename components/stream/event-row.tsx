"use client"

import Link from "next/link"
import { memo } from "react"
import { ClockTime, ShortTime } from "@/components/data/clock-time"
import { eventDetail, eventWords, type StreamEvent } from "@/components/stream/events"
import { cn } from "@/components/ui/cn"

/** One event; it opens its email. */
export const LiveEventRow = memo(function EventRow({ event, href }: { event: StreamEvent; href: string }) {
  const { word, tone } = eventWords(event.type)
  return (
    <Link
      data-row={event.id}
      href={href}
      prefetch={false}
      className="flex h-[65px] flex-col justify-center gap-1 border-b border-line px-4 -outline-offset-2 hover:bg-sunken focus-visible:bg-sunken
        sm:grid sm:h-[41px] sm:grid-cols-[96px_104px_minmax(0,5fr)_minmax(0,3fr)] sm:items-center sm:gap-4 xl:grid-cols-[104px_112px_minmax(0,6fr)_minmax(0,4fr)_minmax(0,4fr)]"
    >
      <span className="order-2 hidden text-faint sm:order-none sm:block">
        <ClockTime at={event.occurredAt} />
      </span>
      <span className="order-2 flex min-w-0 gap-2 sm:order-none sm:block">
        <span
          className={cn(
            "flex shrink-0 items-center gap-2",
            tone === "bad" && "text-bad",
            tone === "warn" && "text-warn",
          )}
        >
          <span aria-hidden="true" className={cn("size-2 rounded-full", dot[tone])} />
          {word}
        </span>
        <span className="min-w-0 truncate text-muted sm:hidden">{event.data.subject}</span>
      </span>
      <span className="flex items-baseline justify-between gap-3 sm:contents">
        <Address address={event.data.to ?? ""} />
        <span className="text-faint sm:hidden">
          <ShortTime at={event.occurredAt} />
        </span>
      </span>
      <span className="hidden min-w-0 truncate xl:block">{event.data.subject}</span>
      <span className="hidden min-w-0 truncate text-muted sm:block xl:hidden">
        {eventDetail(event) || event.data.subject}
      </span>
      <span className="hidden min-w-0 truncate text-muted xl:block">{eventDetail(event)}</span>
    </Link>
  )
})

/** Characters that a line of a phone holds. */
const lineChars = 36

/** Whole on a phone, where a long one is written smaller and over two lines. */
function Address({ address }: { address: string }) {
  return (
    <span
      title={address}
      className={cn(
        "block font-medium max-sm:break-all sm:truncate",
        address.length > lineChars && "max-sm:text-xs max-sm:leading-4",
      )}
    >
      {address}
    </span>
  )
}

const dot = { wait: "bg-line-field", warn: "bg-warn", good: "bg-good", bad: "bg-bad" }

/** Between what happened before the page was connected and what happens since. */
export function ConnectedLine({ before }: { before: number }) {
  return (
    <p className="flex h-[65px] items-center border-b border-line bg-sunken px-4 text-xs sm:h-[41px]">
      <b className="font-semibold">Connected</b>
      <span className="ml-2 text-muted">{before === 1 ? "The event before it" : `The ${before} events before it`}</span>
    </p>
  )
}
