"use client"

import { useQuery } from "@tanstack/react-query"
import { formatNumber } from "@/lib/platform/format"
import { dynamic } from "@/components/late-parts/dynamic"
import { LoadError } from "@/components/data/load-error"
import { stackOf, series, shownSeries, type SeriesName } from "@/components/metrics/chart"
import { monthQuery, weekQuery } from "@/components/overview/queries"
import { rateSentences } from "@/components/overview/rate-sentences"
import { Card, CardHeader } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import { Skeleton } from "@/components/ui/skeleton"
import { TextLink } from "@/components/ui/text-link"

const VolumeChart = dynamic(() => import("@/components/metrics/volume-chart").then((module) => module.VolumeChart), {
  ssr: false,
  loading: () => <Skeleton className="m-4 h-[218px]" />,
})

/** 30 days by what became of the email, and the last full week in sentences. */
export function Volume({ projectId }: { projectId: string }) {
  const month = useQuery({ ...monthQuery(projectId), refetchInterval: 60_000 })
  const week = useQuery({ ...weekQuery(projectId), refetchInterval: 300_000 })
  const failed = [month, week].find((read) => read.isError && !read.data)
  return (
    <Card className="grid lg:grid-cols-[minmax(0,1fr)_344px]" aria-busy={month.isPending}>
      <section aria-labelledby="overview-month" className="min-w-0">
        <CardHeader id="overview-month" title="Last 30 days" actions={<Legend buckets={month.data?.buckets ?? []} />} />
        {failed ? (
          <LoadError error={failed.error} onRetry={() => void failed.refetch()} retrying={failed.isFetching} />
        ) : month.data ? (
          <VolumeChart projectId={projectId} timeline={month.data} before={null} earlier={null} />
        ) : (
          <Skeleton className="m-4 h-[218px]" />
        )}
      </section>
      <section aria-labelledby="overview-week" className="border-t border-line lg:border-t-0 lg:border-l">
        <CardHeader
          id="overview-week"
          title="Last 7 full days"
          actions={<TextLink href={`/projects/${projectId}/metrics?window=7d`}>Metrics</TextLink>}
        />
        <ul className="divide-y divide-line">
          {week.data
            ? rateSentences(week.data, week.data.previous).map(({ text, detail, tone }) => (
                <li key={text} className="px-4 py-2.5">
                  <b className={tones[tone]}>{text}</b>
                  <span className="block text-sm text-muted">{detail}</span>
                </li>
              ))
            : [1, 2, 3, 4].map((row) => (
                <li key={row} className="px-4 py-2.5">
                  <Skeleton className="mb-1.5 w-40" />
                  <Skeleton className="w-56" />
                </li>
              ))}
        </ul>
      </section>
    </Card>
  )
}

const tones = { text: "", warn: "text-warn", bad: "text-bad" }

function Legend({ buckets }: { buckets: Parameters<typeof stackOf>[0][] }) {
  const parts = buckets.map(stackOf)
  const sums = Object.fromEntries(
    series.map(({ name }) => [name, parts.reduce((sum, part) => sum + part[name], 0)]),
  ) as Record<SeriesName, number>
  return (
    <dl className="flex flex-wrap gap-x-4 gap-y-1">
      {shownSeries(sums).map(({ name, label, colour }) => (
        <div key={name} className="flex items-center gap-1.5">
          <span aria-hidden="true" className={cn("size-2 rounded-xs", colour)} />
          <dt>{label}</dt>
          <dd className="font-medium text-text tabular-nums">{formatNumber(sums[name])}</dd>
        </div>
      ))}
    </dl>
  )
}
