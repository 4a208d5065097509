"use client"

import { useState } from "react"
import { hourMs } from "@/lib/platform/time"
import { useMoment } from "@/components/data/clock-time"
import { graceMs } from "@/lib/domains/rules"

export const graceHours = graceMs / hourMs

/** Hours until a degraded domain stops sending, as of when the page was opened. */
export function useHoursLeft(until: string): number {
  const [now] = useState(() => Date.now())
  return Math.min(graceHours, Math.max(0, (Date.parse(until) - now) / hourMs))
}

/** When a degraded domain stops sending if its records are still missing. */
export function StopsSending({ until }: { until: string }) {
  const moment = useMoment()
  const left = useHoursLeft(until)
  return (
    // Server and browser read their clocks moments apart, so the text may differ; React must not report that.
    <span suppressHydrationWarning>
      The domain stops sending <b>{moment(until)}</b>, in {left < 1 ? "less than an hour" : `${Math.floor(left)} hours`}
      .
    </span>
  )
}
