"use client"

import { useQuery } from "@tanstack/react-query"
import { type KeyboardEvent, useRef, useState } from "react"
import { LoadError } from "@/components/data/load-error"
import { useAddressParam } from "@/components/layout/use-address-param"
import { Absent } from "@/components/ui/text"
import { Card } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import { RelativeTime } from "@/components/ui/relative-time"
import { SkeletonRows } from "@/components/ui/loading"
import { useStop } from "@/components/ui/chosen-in-row"
import { utcHourWords } from "@/components/ui/time-words"
import { DayTime } from "@/components/data/clock-time"
import { type HealthDetail, healthQuery } from "@/components/webhooks/queries"
import { arrivedShare } from "@/components/webhooks/states"
import { formatNumber } from "@/lib/platform/format"

const refreshMs = 15_000

/** The last 24 hours: what arrived, how fast, and what is retried next. */
export function HealthCard({ projectId, webhookId }: { projectId: string; webhookId: string }) {
  const { data, error, refetch, isFetching } = useQuery({
    ...healthQuery(projectId, webhookId),
    refetchInterval: refreshMs,
  })
  return (
    <Card aria-label="Health">
      {data ? (
        <Figures health={data} />
      ) : error ? (
        <LoadError error={error} onRetry={() => void refetch()} retrying={isFetching} />
      ) : (
        <SkeletonRows rows={3} label="Loading the health" />
      )}
    </Card>
  )
}

function Figures({ health }: { health: HealthDetail }) {
  const share = arrivedShare(health)
  const [hour, setHour] = useAddressParam("hour")
  const [, setBefore] = useAddressParam("before")
  const [, setDelivery] = useAddressParam("delivery")
  function choose(next: string | null) {
    setBefore(null)
    setDelivery(null)
    setHour(next)
  }
  return (
    <div className="grid sm:grid-cols-2 lg:grid-cols-[minmax(0,1fr)_minmax(170px,226px)_minmax(170px,226px)]">
      <div className="min-w-0 p-4 sm:max-lg:col-span-2">
        <p className="text-muted">Delivered, last 24 hours</p>
        <p className="mt-0.5">
          {share ? <Big>{share.percent}</Big> : <b className="font-medium">No events in 24 hours</b>}
          <span className="ml-1.5 text-muted tabular-nums">
            {share ? share.sentence : "The share of successful deliveries appears here; test events do not count."}
          </span>
        </p>
        <HourBars hours={health.hours} chosen={hour} onChoose={choose} />
      </div>
      <div className="border-t border-line p-4 lg:border-t-0 lg:border-l">
        <p className="text-muted">Latency, 95th percentile</p>
        <p className="mt-0.5">
          {health.latency ? <Big>{formatNumber(health.latency.p95Ms)} ms</Big> : <Absent word="Unknown" />}
        </p>
        <p className="mt-0.5 text-muted">
          {health.latency
            ? `Median ${formatNumber(health.latency.p50Ms)} ms. The timeout is 15\u00a0s.`
            : "Measured from the first deliveries on. The timeout is 15\u00a0s."}
        </p>
      </div>
      <div className="border-t border-line p-4 sm:border-l lg:border-t-0">
        <p className="text-muted">Next retry</p>
        <p className="mt-0.5">
          {health.nextAttemptAt ? (
            <Big>
              <RelativeTime at={health.nextAttemptAt} />
            </Big>
          ) : (
            <Absent />
          )}
        </p>
        <p className="mt-0.5 text-muted">
          {health.nextAttemptAt ? (
            <>
              At <DayTime at={health.nextAttemptAt} />.{" "}
            </>
          ) : null}
          {retryWords(health)}
        </p>
      </div>
    </div>
  )
}

function Big({ children }: { children: React.ReactNode }) {
  return <span className="text-2xl font-semibold tracking-[-0.01em] tabular-nums">{children}</span>
}

function retryWords({ retrying, lastFailureAt }: HealthDetail): string {
  if (retrying > 1) return `${retrying > 1_000 ? "1,000+" : formatNumber(retrying)} deliveries are waiting.`
  if (retrying === 1) return "One delivery is waiting."
  return lastFailureAt ? "No failed delivery is left to retry." : "No delivery is waiting."
}

type HourBarsProps = {
  hours: Hour[]
  /** The hour that the list is filtered to. */
  chosen: string | null
  onChoose: (hour: string | null) => void
}

/**
 * Deliveries by hour; the red part of a bar is the share whose first attempt failed. One bar is a stop of the Tab key, arrow
 * keys move; a click or Enter filters the list to its hour, and another one shows all again.
 */
function HourBars({ hours, chosen, onChoose }: HourBarsProps) {
  const top = Math.max(1, ...hours.map(totalOf))
  const [stop, setStop] = useStop(hours.map(({ hour }) => hour))
  const [at, setAt] = useState<number>()
  const row = useRef<HTMLDivElement>(null)
  const shown = at === undefined ? undefined : hours[at]

  function onKeyDown(event: KeyboardEvent) {
    const last = hours.length - 1
    const to = { ArrowLeft: Math.max(0, stop - 1), ArrowRight: Math.min(last, stop + 1), Home: 0, End: last }[event.key]
    if (to === undefined) return
    event.preventDefault()
    row.current?.querySelectorAll("button")[to]?.focus()
  }
  return (
    <figure className="mt-3">
      <figcaption className="mb-2 flex flex-wrap justify-between gap-x-4 text-xs text-muted">
        <span className="flex flex-wrap gap-x-4">
          <Key className="bg-good">Delivered on the first attempt</Key>
          <Key className="bg-bad">First attempt failed</Key>
        </span>
        <span aria-hidden="true" className="min-h-4 tabular-nums">
          {shown ? hourWords(shown) : ""}
        </span>
      </figcaption>
      <div
        ref={row}
        role="group"
        aria-label="Deliveries by hour; arrow keys move, Enter shows the deliveries of that hour"
        className="flex h-14 items-end border-b border-line"
        onKeyDown={onKeyDown}
        onPointerLeave={() => setAt(undefined)}
      >
        {hours.map((hour, index) => (
          <button
            key={hour.hour}
            type="button"
            tabIndex={index === stop ? 0 : -1}
            aria-label={hourWords(hour)}
            aria-pressed={hourName(hour.hour) === chosen}
            className={cn(
              "flex h-full min-w-0 flex-1 cursor-pointer flex-col justify-end px-px -outline-offset-2 sm:px-[1.5px]",
              (index === at || hourName(hour.hour) === chosen) && "bg-wait-soft",
            )}
            onClick={() => onChoose(hourName(hour.hour) === chosen ? null : hourName(hour.hour))}
            onPointerEnter={() => setAt(index)}
            onFocus={() => {
              setStop(hour.hour)
              setAt(index)
            }}
            onBlur={() => setAt(undefined)}
          >
            <span className="block w-full rounded-t-xs bg-bad" style={{ height: part(hour.firstFailed, top) }} />
            <span className="block w-full bg-good" style={{ height: part(hour.firstSucceeded, top) }} />
          </button>
        ))}
      </div>
      <p aria-hidden="true" className="flex justify-between pt-1 text-xs text-faint tabular-nums">
        {hours
          .filter((_, index) => index % 6 === 0)
          .map(({ hour }) => (
            <span key={hour}>{hour.slice(11, 16)}</span>
          ))}
        <span>now (UTC)</span>
      </p>
    </figure>
  )
}

function Key({ className, children }: { className: string; children: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden="true" className={`size-2 rounded-xs ${className}`} />
      {children}
    </span>
  )
}

/** What is there stays visible, however small. */
function part(count: number, top: number): string {
  return count === 0 ? "0" : `max(2px, ${(count / top) * 100}%)`
}

type Hour = { hour: string; firstSucceeded: number; firstFailed: number }

/** An hour as it is in the address, such as 2026-11-20T14, in UTC. */
export function hourName(hour: string): string {
  return hour.slice(0, 13)
}

function totalOf({ firstSucceeded, firstFailed }: Hour): number {
  return firstSucceeded + firstFailed
}

/** What happened in an hour. */
export function hourWords(hour: Hour): string {
  const total = totalOf(hour)
  if (total === 0) return `${utcHourWords(hour.hour)}: no deliveries`
  const failed = hour.firstFailed ? `, ${formatNumber(hour.firstFailed)} failed at first` : ""
  return `${utcHourWords(hour.hour)}: ${formatNumber(total)} ${total === 1 ? "delivery" : "deliveries"}${failed}`
}
