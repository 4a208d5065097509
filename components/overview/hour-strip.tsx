"use client"

import { useQuery } from "@tanstack/react-query"
import { useEffect, useMemo, useState } from "react"
import { query } from "@/components/data/query"
import { hourOf, periodAfter } from "@/components/overview/hour"
import { HourBars } from "@/components/overview/hour-bars"
import type { StreamEvent } from "@/components/stream/stream-event"
import { Skeleton } from "@/components/ui/skeleton"

/** The last hour: counted once a minute, and moved on by the events of the stream. */
export function HourStrip({ projectId, events }: { projectId: string; events: readonly StreamEvent[] }) {
  const counts = useQuery({
    ...query("GET /v1/projects/{projectId}/events/counts", { params: { projectId } }),
    refetchInterval: 60_000,
  })
  const { data, dataUpdatedAt } = counts
  const now = useNow()
  const until = data ? periodAfter(data, now - dataUpdatedAt) : 0
  const hour = useMemo(() => (data ? hourOf(data, events, until) : null), [data, events, until])
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
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
