"use client"

import { useQuery } from "@tanstack/react-query"
import { problemOf } from "@/components/api/problem"
import { keyUsageSummary, usageExportAddress, type UsageSummary } from "@/components/api-keys/queries"
import { UsageChart } from "@/components/api-keys/usage-chart"
import { buttonStyle } from "@/components/ui/button-style"
import { Card, CardHeader } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { ErrorState } from "@/components/ui/error-state"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { SkeletonRows } from "@/components/ui/skeleton"

/** What a key is used for: requests by day, and each permission by its last use. */
export function KeyUsage({ projectId, keyId }: { projectId: string; keyId: string }) {
  const { data, error, refetch, isRefetching } = useQuery(keyUsageSummary(projectId, keyId))
  if (!data)
    return (
      <Card aria-label="Requests by day">
        {error ? (
          <ErrorState
            message={problemOf(error).detail ?? problemOf(error).title}
            requestId={problemOf(error).requestId}
            onRetry={() => void refetch()}
            retrying={isRefetching}
          />
        ) : (
          <SkeletonRows rows={5} />
        )}
      </Card>
    )
  return (
    <div className="grid items-start gap-x-4 lg:grid-cols-[1fr_344px]">
      <Card aria-label="Requests by day">
        <CardHeader
          title="Requests by day"
          description="Last 30 days, in UTC."
          actions={
            <>
              <a className={buttonStyle()} href={usageExportAddress(projectId, keyId, "csv")} download>
                Export CSV
              </a>
              <a className={buttonStyle()} href={usageExportAddress(projectId, keyId, "json")} download>
                JSON
              </a>
            </>
          }
        />
        {data.requests === 0 ? (
          <EmptyState title="No requests in 30 days">The first request with this key appears here.</EmptyState>
        ) : (
          <>
            <Figures summary={data} />
            <UsageChart days={data.days} />
          </>
        )}
      </Card>
      <Permissions summary={data} />
    </div>
  )
}

function Figures({ summary: { requests, refused } }: { summary: UsageSummary }) {
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2 px-4 py-3">
      <div>
        <dd className="text-lg font-semibold tabular-nums">{requests.toLocaleString("en")}</dd>
        <dt className="text-muted">requests</dt>
      </div>
      <div>
        <dd className="text-lg font-semibold tabular-nums">{refused.toLocaleString("en")}</dd>
        <dt className="text-muted">refused, {share(refused, requests)}</dt>
      </div>
    </dl>
  )
}

function share(part: number, whole: number): string {
  if (part === 0) return "none"
  const thousandth = (part / whole) * 1_000
  return thousandth < 1 ? "less than 1 in 1,000" : `${Math.round(thousandth).toLocaleString("en")} in 1,000`
}

function Permissions({ summary: { permissions, unused } }: { summary: UsageSummary }) {
  const granted = permissions.filter((use) => use.granted)
  return (
    <Card aria-label="Permissions">
      <CardHeader
        title={
          <>
            Permissions <span className="ml-1 font-normal text-muted">{granted.length} of 14</span>
          </>
        }
      />
      {unused.length ? (
        <p className="border-b border-line px-4 py-3">
          <b className="font-medium">Not used in 30 days: {unused.join(", ")}.</b>{" "}
          <span className="text-muted">
            A key without {unused.length > 1 ? "them" : "it"} can do less harm if it leaks.
          </span>
        </p>
      ) : null}
      <ul className="divide-y divide-line">
        {granted.map(({ permission, lastUsedAt }) => (
          <li key={permission} className="flex flex-wrap items-baseline justify-between gap-x-3 gap-y-1 px-4 py-2.5">
            <code>{permission}</code>
            {unused.includes(permission) ? (
              <Pill tone="warn">{lastUsedAt ? "Not used in 30 days" : "Never used"}</Pill>
            ) : lastUsedAt ? (
              <RelativeTime at={lastUsedAt} className="text-muted" />
            ) : (
              <span className="text-muted">Not used yet</span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
