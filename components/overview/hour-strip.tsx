"use client"

import { useQuery } from "@tanstack/react-query"
import { useEffect, useMemo, useState } from "react"
import { query } from "@/components/api/query"
import { LoadError } from "@/components/emails/load-error"
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
        <LoadError error={counts.error} onRetry={() => void counts.refetch()} retrying={counts.isFetching} />
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
