"use client"

import { useState } from "react"
import type { UsageSummary } from "@/components/api-keys/queries"
import { cn } from "@/components/ui/cn"

type Day = UsageSummary["days"][number]

/** Requests by day as bars. A day is picked with the pointer or the arrow keys and read out. */
export function UsageChart({ days }: { days: Day[] }) {
  const [picked, setPicked] = useState<number>()
  const top = Math.max(...days.map(({ requests }) => requests), 1)
  const day = picked === undefined ? undefined : days[picked]
  const total = days.reduce((sum, { requests }) => sum + requests, 0)

  function move(key: string) {
    const last = days.length - 1
    const from = picked ?? last + 1
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[key]
    if (to === undefined) return false
    setPicked(Math.min(last, Math.max(0, to)))
    return true
  }

  return (
    <div className="px-4 pb-4">
      <p aria-live="polite" className="min-h-5 text-sm text-muted tabular-nums">
        {day ? `${dateOf(day.day)}: ${count(day.requests)} requests, ${count(day.refused)} refused` : null}
      </p>
      <div
        role="slider"
        tabIndex={0}
        aria-label={`Requests by day: ${count(total)} in ${days.length} days. Arrow keys move between days`}
        aria-valuemin={1}
        aria-valuemax={days.length}
        aria-valuenow={(picked ?? days.length - 1) + 1}
        aria-valuetext={day ? `${dateOf(day.day)}, ${count(day.requests)} requests` : `${days.length} days`}
        className="mt-1 flex h-36 items-end gap-0.5 rounded-sm border-b border-line sm:gap-1"
        onKeyDown={(event) => {
          if (move(event.key)) event.preventDefault()
        }}
        onPointerLeave={() => setPicked(undefined)}
        onBlur={() => setPicked(undefined)}
      >
        {days.map(({ day: name, requests, refused }, index) => (
          <span
            key={name}
            className={cn(
              "flex h-full min-w-0 flex-1 flex-col justify-end rounded-t-xs",
              index === picked && "bg-wait-soft",
            )}
            onPointerEnter={() => setPicked(index)}
          >
            {refused > 0 ? <Bar share={refused / top} className="bg-warn" /> : null}
            {requests > refused ? <Bar share={(requests - refused) / top} className="mt-px bg-accent" /> : null}
          </span>
        ))}
      </div>
      <p className="mt-1.5 flex justify-between text-xs text-muted" aria-hidden="true">
        <span>{dateOf(days[0]?.day ?? "")}</span>
        <span>Today</span>
      </p>
    </div>
  )
}

/** At least two pixels: a day with one request is not a day without. */
function Bar({ share, className }: { share: number; className: string }) {
  return <span className={cn("block min-h-0.5 rounded-t-xs", className)} style={{ height: `${share * 100}%` }} />
}

function count(value: number): string {
  return value.toLocaleString("en")
}

function dateOf(day: string): string {
  if (day === "") return ""
  return new Date(`${day}T00:00:00Z`).toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" })
}
