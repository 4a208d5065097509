"use client"

import { useQuery } from "@tanstack/react-query"
import { formatNumber } from "@/lib/platform/format"
import { LoadError } from "@/components/data/load-error"
import { useAddressParam } from "@/components/layout/use-address-param"
import { Card } from "@/components/ui/card"
import { RelativeTime } from "@/components/ui/relative-time"
import { SkeletonRows } from "@/components/ui/skeleton"
import { DayTime } from "@/components/webhooks/day-time"
import { HourBars } from "@/components/webhooks/hour-bars"
import { healthQuery, type HealthDetail } from "@/components/webhooks/queries"
import { arrivedShare } from "@/components/webhooks/states"

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
          <Big>{share ? share.percent : "No events in 24 hours"}</Big>
          <span className="ml-1.5 text-muted tabular-nums">
            {share ? share.sentence : "The share of successful deliveries appears here."}
          </span>
        </p>
        <HourBars hours={health.hours} chosen={hour} onChoose={choose} />
      </div>
      <div className="border-t border-line p-4 lg:border-t-0 lg:border-l">
        <p className="text-muted">Latency, 95th percentile</p>
        <p className="mt-0.5">
          <Big>{health.latency ? `${formatNumber(health.latency.p95Ms)} ms` : "Unknown"}</Big>
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
          <Big>{health.nextAttemptAt ? <RelativeTime at={health.nextAttemptAt} /> : "None"}</Big>
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
