"use client"

import { useQuery } from "@tanstack/react-query"
import { LoadError } from "@/components/data/load-error"
import { KeyPermissions } from "@/components/api-keys/key-permissions"
import { keyUsageSummary, usageExportAddress, type UsageSummary } from "@/components/api-keys/queries"
import { RotationCard } from "@/components/api-keys/rotation-card"
import {
  count,
  fewRequests,
  periods,
  periodWords,
  shareWords,
  usageBars,
  type Period,
  type UsageBar,
} from "@/components/api-keys/usage-bars"
import { UsageChart } from "@/components/api-keys/usage-chart"
import { useAddressParam } from "@/components/layout/use-address-param"
import { buttonStyle } from "@/components/ui/button-style"
import { Card, CardHeader } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { Segmented } from "@/components/ui/segmented"
import { SkeletonRows } from "@/components/ui/skeleton"

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
              options={periods.map((value) => ({ value, label: periodWords[value] }))}
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
          <UsageChart bars={bars} period={periodWords[period]} onOpen={open} />
        </>
      ) : (
        <EmptyState title={`No requests in ${periodWords[period]}`}>
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
