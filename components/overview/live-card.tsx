"use client"

import { useOpenedAt } from "@/components/ui/relative-time"
import Link from "next/link"
import { useSyncExternalStore, type ReactNode, useEffect, useMemo, useState } from "react"
import { ClockTime } from "@/components/data/clock-time"
import { ConnectionWords, useStream } from "@/components/stream/stream-connection"
import { eventWords, eventTypes, type StreamEvent } from "@/components/stream/events"
import { AddressText, TextLink } from "@/components/ui/text"
import { Card, CardHeader } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import type { Tone } from "@/components/ui/pill"
import { SkeletonRows, Skeleton } from "@/components/ui/loading"
import { useQuery } from "@tanstack/react-query"
import type { CallAnswer } from "@/components/data/call"
import { query } from "@/components/data/query"
import { byType, clockOf, periodOf, totalOf, type TypeCounts, StackedBars, TypeDot } from "@/components/stream/rate"
import { dynamic } from "@/components/late-parts/dynamic"
import { useTimeZone } from "@/components/ui/local-time"
import { useTouched } from "@/components/ui/page-start"
import { formatNumber } from "@/lib/platform/format"
import { periodMs, periodsOfHour } from "@/lib/stream/rules"

const shown = 4

/** The last hour and the newest events. A hidden tab opens no stream, because a browser has few connections. */
export function LiveCard({ projectId }: { projectId: string }) {
  const visible = useSyncExternalStore(
    subscribeToVisibility,
    () => !document.hidden,
    () => false,
  )
  const { connection, log } = useStream(projectId, { enabled: visible, recall: true })
  const newest = log.shown.slice(-shown).reverse()
  const nothing = newest.length === 0 && connection.state !== "connecting"
  return (
    <Card aria-labelledby="overview-live">
      <CardHeader
        id="overview-live"
        title="Live"
        actions={
          <>
            <ConnectionWords connection={connection} />
            <TextLink href={`/projects/${projectId}/stream`}>Open Live</TextLink>
          </>
        }
      />
      {nothing ? null : <HourStrip projectId={projectId} events={log.shown} />}
      {nothing ? (
        <p className="px-4 py-3 text-muted">Nothing has happened yet.</p>
      ) : newest.length === 0 ? (
        <SkeletonRows rows={shown} label="Loading the latest events" />
      ) : (
        <ul className="divide-y divide-line">
          {newest.map(({ id, type, emailId, occurredAt, data }) => (
            <li key={id}>
              <LiveRow
                href={`/projects/${projectId}/emails/${emailId}`}
                {...eventWords(type)}
                to={data.to ?? ""}
                subject={data.subject ?? ""}
              >
                <ClockTime at={occurredAt} />
              </LiveRow>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

type LiveRowProps = { href: string; tone: Tone; word: string; to: string; subject: string; children: ReactNode }

function LiveRow({ href, tone, word, to, subject, children }: LiveRowProps) {
  return (
    <Link
      href={href}
      prefetch={false}
      className="grid min-h-10 grid-cols-[104px_minmax(0,1fr)] items-center gap-2 px-4 py-2 -outline-offset-2 hover:bg-sunken
        sm:grid-cols-[104px_minmax(0,3fr)_minmax(0,2fr)_auto] sm:gap-3"
    >
      <span className={cn("flex items-center gap-2", tone === "bad" && "text-bad", tone === "warn" && "text-warn")}>
        <span aria-hidden="true" className={cn("size-2 rounded-full", dot[tone])} />
        {word}
      </span>
      <span className="font-medium [overflow-wrap:anywhere]">
        <AddressText address={to} />
      </span>
      <span className="hidden truncate text-muted sm:block">{subject}</span>
      <span className="hidden text-faint sm:block">{children}</span>
    </Link>
  )
}

const dot: Record<Tone, string> = { wait: "bg-line-field", warn: "bg-warn", good: "bg-good", bad: "bg-bad" }

function subscribeToVisibility(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener)
  return () => document.removeEventListener("visibilitychange", listener)
}

/** The last hour: counted once a minute, and moved on by the events of the stream. */
export function HourStrip({ projectId, events }: { projectId: string; events: readonly StreamEvent[] }) {
  const counts = useQuery({
    ...query("GET /v1/projects/{projectId}/events/counts", { params: { projectId } }),
    refetchInterval: 60_000,
  })
  const { data, dataUpdatedAt } = counts
  const now = useNow()
  const until = data ? periodAfter(data, now - dataUpdatedAt) : 0
  const hour = useMemo(() => (data ? hourStart(data, events, until) : null), [data, events, until])
  return (
    <div className="border-b border-line">
      {hour ? (
        <HourBars {...hour} />
      ) : counts.isError ? (
        <p className="px-4 py-3 text-muted">The last hour could not be counted. It is tried again in a minute.</p>
      ) : (
        <Skeleton className="mx-4 my-3 h-16" />
      )}
    </div>
  )
}

/** The reader's clock, read anew every second. */
function useNow(): number {
  const [now, setNow] = useState(useOpenedAt())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

const BarReader = dynamic(() => import("@/components/stream/bar-reader").then((module) => module.BarReader), {
  ssr: false,
})

/** The number of events that fills the height, unless a bar has more: a single event is no burst. */
const scaleMin = 10

/** 30 bars of two minutes, stacked by type, and how many there were of each type. */
function HourBars({ bars, until, since }: Hour) {
  const touched = useTouched()
  const timeZone = useTimeZone()
  const counts = byType(bars)
  const types = Object.entries(eventTypes).flatMap(([type, { word }]) => {
    const count = counts[type]
    return count ? [{ type, word, count: formatNumber(count) }] : []
  })
  const title = titleOf(totalOf(counts), since && clockOf(Date.parse(since) / 1000, timeZone))
  const parts = types.map(({ word, count }) => `${count} ${word.toLowerCase()}`)
  return (
    <div className="grid items-end gap-x-8 gap-y-3 px-4 py-3 tabular-nums sm:grid-cols-[minmax(0,1fr)_fit-content(50%)]">
      <div className="min-w-0">
        <p className="mb-1 text-xs text-muted">{title}</p>
        <div className="border-b border-line-strong">
          <div className="relative ml-auto h-10" style={{ width: `${(bars.length / periodsOfHour) * 100}%` }}>
            <StackedBars
              bars={bars}
              scale={Math.max(scaleMin, ...bars.map(totalOf))}
              label={`${title}, by 2 minutes${parts.length ? `: ${parts.join(", ")}` : ""}.`}
            />
            {touched ? (
              <BarReader bars={bars} until={until} unit="Two minutes" timeOf={(period) => periodOf(period, timeZone)} />
            ) : null}
          </div>
        </div>
      </div>
      <dl className="flex flex-wrap gap-x-5 gap-y-2">
        {types.map(({ type, word, count }) => (
          <div key={type}>
            <dt className="flex items-center gap-1.5 text-xs text-muted">
              <TypeDot type={type} />
              {word}
            </dt>
            <dd className="font-semibold">{count}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

function titleOf(total: number, since: string | null): string {
  const events = total === 0 ? "No events" : `${formatNumber(total)} ${total === 1 ? "event" : "events"}`
  return since ? `${events} since ${since}` : `${events} in the last hour`
}

export type EventCounts = CallAnswer<"GET /v1/projects/{projectId}/events/counts">

/** Events of the last hour by two minutes. */
type Hour = {
  /** Oldest first; fewer than 30 if the events of a busy project are counted from later on. */
  bars: readonly TypeCounts[]
  /** The period after the last of them, counted since 1970. */
  until: number
  /** The time from which they are counted; null if it is an hour ago. */
  since: string | null
}

/** The period after that of now: `passedMs` have passed since the answer came, so the reader's own clock does not matter. */
export function periodAfter({ until }: EventCounts, passedMs: number): number {
  return Math.floor((Date.parse(until) + Math.max(0, passedMs)) / periodMs) + 1
}

/** What was counted, and what the stream has carried since. */
export function hourStart(counted: EventCounts, events: readonly StreamEvent[], until: number): Hour {
  const since = Date.parse(counted.since)
  const first = Math.max(until - periodsOfHour, Math.floor(since / periodMs))
  const bars = Array.from({ length: until - first }, (): Record<string, number> => ({}))
  const add = (at: string, type: string, count: number) => {
    const bar = bars[Math.floor(Date.parse(at) / periodMs) - first]
    if (bar) bar[type] = (bar[type] ?? 0) + count
  }
  for (const { at, type, count } of counted.data) add(at, type, count)
  for (const { occurredAt, type } of eventsAfter(events, counted.last)) add(occurredAt, type, 1)
  return { bars, until, since: since > (until - periodsOfHour) * periodMs ? counted.since : null }
}

/** The events that follow this one in the public order or, if it is not among them, those whose ids are later. */
function eventsAfter(events: readonly StreamEvent[], last = ""): readonly StreamEvent[] {
  const at = events.findLastIndex(({ id }) => id === last)
  return at < 0 ? events.filter(({ id }) => id > last) : events.slice(at + 1)
}
