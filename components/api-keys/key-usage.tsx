"use client"

import { useQuery, keepPreviousData } from "@tanstack/react-query"
import { type ReactNode, useState, useEffect, useRef } from "react"
import { KeyPermissions } from "@/components/api-keys/api-key-detail"
import { keyUsageSummary, usageExportAddress, type UsageSummary, keyUsage } from "@/components/api-keys/queries"
import { RotationCard } from "@/components/api-keys/rotation-card"
import {
  usageBarWords,
  count,
  fewRequests,
  type Period,
  periods,
  periodNames,
  shareWords,
  shortBar,
  type UsageBar,
  usageBars,
  longBar,
  usageWindow,
} from "@/components/api-keys/usage-words"
import { LoadError } from "@/components/data/load-error"
import { useAddressParam } from "@/components/layout/use-address-param"
import { buttonStyle } from "@/components/ui/button-style"
import { Card, CardHeader, CardFooter } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import { EmptyState } from "@/components/ui/empty-state"
import { Segmented } from "@/components/ui/segmented"
import { SkeletonRows } from "@/components/ui/loading"
import { RequestTable } from "@/components/api-keys/request-table"
import { Button } from "@/components/ui/button"

const refreshMs = 15_000

type KeyUsageProps = { projectId: string; keyId: string }

/** What a key is used for: a rotation under way, requests over time, and each permission by its last use. */
export function KeyUsage({ projectId, keyId }: KeyUsageProps) {
  const { data, error, refetch, isRefetching } = useQuery({
    ...keyUsageSummary(projectId, keyId),
    refetchInterval: refreshMs,
  })
  if (!data)
    return (
      <Card aria-label="Requests over time">
        {error ? (
          <LoadError error={error} onRetry={() => void refetch()} retrying={isRefetching} />
        ) : (
          <SkeletonRows rows={5} label="Loading the usage" />
        )}
      </Card>
    )
  return (
    <>
      {data.rotation ? <RotationCard projectId={projectId} rotation={data.rotation} /> : null}
      <div className="grid items-start gap-x-4 lg:grid-cols-[minmax(0,1fr)_344px]">
        <RequestsOverTime projectId={projectId} keyId={keyId} summary={data} />
        <KeyPermissions projectId={projectId} keyId={keyId} summary={data} />
      </div>
    </>
  )
}

function RequestsOverTime({ projectId, keyId, summary }: KeyUsageProps & { summary: UsageSummary }) {
  const [wanted, setWanted] = useAddressParam("period")
  const [, setBefore] = useAddressParam("before")
  const [, setAt] = useAddressParam("at", { history: "push" })
  const period: Period = periods.find((name) => name === wanted) ?? "30d"
  const bars = usageBars(summary, period)
  function open(at: string) {
    setBefore(null)
    setAt(at)
  }
  return (
    <Card aria-label="Requests over time">
      <CardHeader
        title={period === "24h" ? "Requests by hour" : "Requests by day"}
        description="In UTC."
        actions={
          <>
            <Segmented
              label="Period"
              value={period}
              onChange={(name) => setWanted(name === "30d" ? null : name)}
              options={periods.map((value) => ({ value, label: periodNames[value] }))}
            />
            <a className={buttonStyle()} href={usageExportAddress(projectId, keyId, "csv")} download>
              Export CSV
            </a>
            <a className={buttonStyle()} href={usageExportAddress(projectId, keyId, "json")} download>
              Export JSON
            </a>
          </>
        }
      />
      {bars.some(({ requests }) => requests > 0) ? (
        <>
          <Figures bars={bars} latency={summary.latency} />
          <UsageChart bars={bars} period={periodNames[period]} onOpen={open} />
        </>
      ) : (
        <EmptyState title={`No requests in ${periodNames[period]}`}>
          The first request with this key appears here.
        </EmptyState>
      )}
    </Card>
  )
}

function Figures({ bars, latency }: { bars: UsageBar[]; latency: UsageSummary["latency"] }) {
  const sum = (field: "requests" | "refused") => bars.reduce((total, bar) => total + bar[field], 0)
  const [requests, refused] = [sum("requests"), sum("refused")]
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-3 px-4 py-3">
      <dl className="flex flex-wrap gap-x-8 gap-y-2">
        <Figure value={count(requests)} label={requests === 1 ? "request" : "requests"} />
        <Figure
          value={shareWords(refused, requests)}
          label={refused && requests >= fewRequests ? `refused, ${count(refused)} in total` : "refused"}
        />
        {latency ? (
          <Figure
            value={`${count(latency.p95Ms)} ms`}
            label="95th percentile"
            note={`Of the last ${count(latency.sample, "request")} with this key; half took at most ${count(latency.p50Ms)} ms.`}
          />
        ) : null}
      </dl>
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
        {(bars[0]?.shares ? byKey : byAnswer).map(({ label, colour }) => (
          <span key={label} className="inline-flex items-center gap-1.5">
            <span aria-hidden="true" className={`size-2 rounded-xs ${colour}`} />
            {label}
          </span>
        ))}
      </p>
    </div>
  )
}

const byKey = [
  { label: "New key", colour: "bg-accent" },
  { label: "Old key", colour: "bg-line-field" },
]
const byAnswer = [
  { label: "Succeeded", colour: "bg-accent" },
  { label: "Refused", colour: "bg-warn" },
]

function Figure({ value, label, note }: { value: string; label: string; note?: string }) {
  return (
    <div title={note}>
      <dd className="text-lg font-semibold tabular-nums">{value}</dd>
      <dt className="text-muted">{label}</dt>
    </div>
  )
}

type UsageChartProps = {
  bars: UsageBar[]
  /** "30 days", for its name. */
  period: string
  /** Shows the requests of a bar. */
  onOpen: (at: string) => void
}

/** Requests as bars. One is picked with the pointer or the arrow keys and read out; a click or Enter shows its requests. */
function UsageChart({ bars, period, onOpen }: UsageChartProps) {
  const [picked, setPicked] = useState<number>()
  const last = bars.length - 1
  const top = Math.max(...bars.map(({ requests }) => requests), 1)
  const bar = picked === undefined ? undefined : bars[picked]
  const total = bars.reduce((sum, { requests }) => sum + requests, 0)
  const words = bar && usageBarWords(bar, picked === last)

  function onKey(key: string): boolean {
    if (key === "Enter" && bar) {
      onOpen(bar.at)
      return true
    }
    const from = picked ?? last + 1
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[key]
    if (to === undefined) return false
    setPicked(Math.min(last, Math.max(0, to)))
    return true
  }

  return (
    <div className="px-4 pb-4">
      <p aria-live="polite" className="min-h-5 text-sm text-muted tabular-nums">
        {words}
      </p>
      <div className="relative mt-1">
        <ScaleLine className="top-0">{count(top)}</ScaleLine>
        <ScaleLine className="top-1/2">{top >= 10 ? count(Math.round(top / 2)) : null}</ScaleLine>
        <div
          role="slider"
          tabIndex={0}
          aria-label={`Requests: ${count(total)} in ${period}. Arrow keys move, Enter shows the requests of a bar`}
          aria-valuemin={1}
          aria-valuemax={bars.length}
          aria-valuenow={(picked ?? last) + 1}
          aria-valuetext={words ?? period}
          className="relative mr-12 flex h-36 cursor-pointer items-end gap-0.5 rounded-sm border-b border-line sm:gap-1"
          onKeyDown={(event) => {
            if (onKey(event.key)) event.preventDefault()
          }}
          onPointerLeave={() => setPicked(undefined)}
          onBlur={() => setPicked(undefined)}
        >
          {bars.map((each, index) => (
            <span
              key={each.at}
              className={cn(
                "flex h-full min-w-0 flex-1 flex-col justify-end rounded-t-xs",
                index === picked && "bg-wait-soft",
              )}
              onPointerEnter={() => setPicked(index)}
              onClick={() => onOpen(each.at)}
            >
              {partsOf(each).map(({ value, colour }, nth) =>
                value > 0 ? <Part key={colour} share={value / top} className={cn(colour, nth > 0 && "mt-px")} /> : null,
              )}
            </span>
          ))}
        </div>
      </div>
      <p className="mt-1.5 mr-12 flex justify-between text-xs text-muted tabular-nums" aria-hidden="true">
        <span>{bars[0] ? shortBar(bars[0].at) : ""}</span>
        <span>{bars[last] && bars[last].at.length > 10 ? "This hour (UTC)" : "Today"}</span>
      </p>
    </div>
  )
}

/** A line behind the bars, with its number in the margin at the right. */
function ScaleLine({ className, children }: { className: string; children: ReactNode }) {
  return (
    <p
      aria-hidden="true"
      className={cn(
        "pointer-events-none absolute inset-x-0 border-t border-dashed border-line text-right text-xs text-faint tabular-nums",
        className,
      )}
    >
      {children}
    </p>
  )
}

/** From the top down: during a rotation by key, else what was refused and the rest. */
function partsOf({ requests, refused, shares }: UsageBar) {
  if (shares)
    return [
      { value: shares.old, colour: "bg-line-field" },
      { value: shares.next, colour: "bg-accent" },
    ]
  return [
    { value: refused, colour: "bg-warn" },
    { value: requests - refused, colour: "bg-accent" },
  ]
}

/** At least two pixels: a day with one request is not a day without. */
function Part({ share, className }: { share: number; className: string }) {
  return <span className={cn("block rounded-t-xs", className)} style={{ height: `${share * 100}%` }} />
}

/** Requests made with the key, of the day or hour that was chosen in the chart. Older ones load with `before`. */
export function KeyRequests({ projectId, keyId }: { projectId: string; keyId: string }) {
  const [before, setBefore] = useAddressParam("before", { history: "push" })
  const [at, setAt] = useAddressParam("at", { history: "push" })
  const chosen = usageWindow(at)
  const { data, error, refetch, isRefetching, isPlaceholderData } = useQuery({
    ...keyUsage(projectId, keyId, { after: chosen?.after, before: before ?? chosen?.before }),
    placeholderData: keepPreviousData,
  })
  const card = useRef<HTMLElement>(null)
  const shown = useRef(at)
  useEffect(() => {
    // The list is below the chart in which a bar was chosen.
    if (at && at !== shown.current) card.current?.scrollIntoView({ block: "nearest" })
    shown.current = at
  }, [at])
  function clear() {
    setBefore(null)
    setAt(null)
  }
  const oldest = data?.data.at(-1)?.ts
  return (
    <Card ref={card} aria-label="Requests" aria-busy={isPlaceholderData} className="scroll-my-4">
      <CardHeader
        title="Requests"
        description={
          at && chosen ? `Of ${longBar(at)}, newest first.` : "Newest first. No bodies and no query strings are kept."
        }
        actions={chosen ? <Button onClick={clear}>Show all</Button> : undefined}
      />
      {data ? null : error ? (
        <LoadError error={error} onRetry={() => void refetch()} retrying={isRefetching} />
      ) : (
        <SkeletonRows />
      )}
      {data && !data.data.length ? <Nothing isFiltered={chosen !== null} /> : null}
      {data?.data.length ? <RequestTable projectId={projectId} requests={data.data} /> : null}
      {before || data?.page.hasMore ? (
        <CardFooter>
          <Button disabled={!before} onClick={() => setBefore(null)}>
            Newest
          </Button>
          <Button disabled={!data?.page.hasMore || !oldest} onClick={() => setBefore(oldest ?? null)}>
            Older
          </Button>
        </CardFooter>
      ) : null}
    </Card>
  )
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyState title="No requests">
        This key made no requests in that period. The other key&apos;s requests are on its page.
      </EmptyState>
    )
  return (
    <EmptyState title="No requests yet">The first request with this key appears here about a second later.</EmptyState>
  )
}
