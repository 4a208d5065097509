"use client"

import { useQuery } from "@tanstack/react-query"
import { LoadError } from "@/components/data/load-error"
import { dynamic } from "@/components/late-parts/dynamic"
import { series, type SeriesName, shownSeries, stackOf } from "@/components/metrics/chart"
import { reachedCount } from "@/components/metrics/rates"
import { monthQuery, weekQuery } from "@/components/overview/queries"
import { Card, CardHeader } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import { useTimeZone } from "@/components/ui/local-time"
import { Skeleton } from "@/components/ui/loading"
import { useServerClock } from "@/components/ui/relative-time"
import { TextLink } from "@/components/ui/text"
import { bounceBounds, complaintBounds, judgesBounces, judgesComplaints } from "@/lib/metrics/rules"
import { formatNumber } from "@/lib/platform/format"

const VolumeChart = dynamic(() => import("@/components/metrics/volume-chart").then((module) => module.VolumeChart), {
  ssr: false,
  loading: () => <Skeleton className="m-4 h-[218px]" />,
})

/** 30 days by what became of the email, and the last full week in sentences. */
export function Volume({ projectId }: { projectId: string }) {
  const timeZone = useTimeZone()
  const now = useServerClock()
  const month = useQuery({ ...monthQuery(projectId, timeZone), refetchInterval: 60_000 })
  const week = useQuery({ ...weekQuery(projectId, timeZone, now()), refetchInterval: 300_000 })
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

type Counts = {
  sent: number
  delivered: number
  bounced: number
  complained: number
  deliveryReported?: boolean | undefined
  deliveryNotReported?: number | undefined
}

// Rates in words

export type RateSentence = { text: string; detail: string; tone: "text" | "warn" | "bad" }

/** What became of a week's email, in words with their numbers, beside the week before. */
export function rateSentences(now: Counts, before: Counts | undefined): RateSentence[] {
  const sent = {
    text: `${count(now.sent)} ${now.sent === 1 ? "email" : "emails"} sent`,
    detail: "",
    tone: "text" as const,
  }
  if (!judgesBounces(now))
    return [{ ...sent, detail: `${volume(now.sent, before?.sent)} Too few emails to judge rates.` }]
  const earlier = before && judgesBounces(before) ? before : undefined
  const share = (part: "delivered" | "bounced", of: Counts) => of[part] / of.sent
  const complaints = (of: Counts) => (reachedCount(of) > 0 ? of.complained / reachedCount(of) : 0)
  const week = (rate: (of: Counts) => number) => (earlier ? `${perMille(rate(earlier))} the week before.` : "")
  return [
    { ...sent, detail: volume(now.sent, before?.sent) },
    now.deliveryReported === false
      ? notReported(now)
      : {
          text: `${perMille(share("delivered", now))} in 1,000 delivered`,
          detail:
            (earlier?.deliveryReported !== false && week((of) => share("delivered", of))) ||
            "No week before to compare with.",
          tone: "text",
        },
    {
      text: `${perMille(share("bounced", now))} in 1,000 were hard bounces`,
      detail: `${week((of) => share("bounced", of))} Keep it below ${perMille(bounceBounds.warning)}.`.trim(),
      tone: toneOf(share("bounced", now), bounceBounds),
    },
    {
      text: `${perMille(complaints(now))} in 1,000 complained`,
      detail: `${people(now.complained)}${earlier ? `, ${count(earlier.complained)} the week before` : ""}. Keep it below ${perMille(complaintBounds.warning)}.`,
      tone: judgesComplaints({ reached: reachedCount(now), complained: now.complained })
        ? toneOf(complaints(now), complaintBounds)
        : "text",
    },
  ]
}

/** A share of what is known of a part alone would read as one of all. */
function notReported({ delivered, deliveryNotReported = 0 }: Counts): RateSentence {
  const known =
    delivered > 0 ? ` ${delivered === 1 ? "1 other is" : `${count(delivered)} others are`} known to be delivered.` : ""
  return {
    text: `Delivery of ${count(deliveryNotReported)} is not reported`,
    detail: `A relay accepted them and reports nothing further.${known}`,
    tone: "text",
  }
}

function volume(now: number, before = 0): string {
  if (before === 0) return "None the week before."
  const change = Math.round((now / before - 1) * 100)
  if (change === 0) return `As many as the week before (${count(before)}).`
  return `${Math.abs(change)}% ${change > 0 ? "more" : "less"} than the week before (${count(before)}).`
}

/** Whole from 10 on; below, the digit that tells 0.7 from 1. */
function perMille(share: number): string {
  const value = share * 1_000
  return String(value >= 10 ? Math.round(value) : Number(value.toFixed(1)))
}

function toneOf(rate: number, { warning, critical }: { warning: number; critical: number }): RateSentence["tone"] {
  if (rate < warning) return "text"
  return rate >= critical ? "bad" : "warn"
}

const people = (number: number) => (number === 1 ? "1 person" : `${count(number)} people`)
const count = (value: number) => formatNumber(value)
