"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { formatNumber } from "@/lib/platform/format"
import { LoadError } from "@/components/data/load-error"
import { reachedWord } from "@/components/metrics/rates"
import { percent } from "@/components/overview/percent"
import { Card, CardHeader } from "@/components/ui/card"
import { Select } from "@/components/ui/select"
import { Skeleton } from "@/components/ui/skeleton"
import { Stat, Stats } from "@/components/ui/stat"
import { topicPerformanceQuery, type TopicPerformance, type TopicWindow } from "@/components/topics/queries"

const windows = [
  { value: "24h", label: "Last 24 hours" },
  { value: "7d", label: "Last 7 days" },
  { value: "30d", label: "Last 30 days" },
  { value: "90d", label: "Last 90 days" },
] satisfies { value: TopicWindow; label: string }[]

/** What became of the topic's mail: counts, each with its share. */
export function TopicPerformanceCard({ projectId, topicId }: { projectId: string; topicId: string }) {
  const [window, setWindow] = useState<TopicWindow>("30d")
  const { data, error, refetch, isFetching } = useQuery({
    ...topicPerformanceQuery(projectId, topicId, window),
    placeholderData: keepPreviousData,
  })
  return (
    <Card aria-label="Performance">
      <CardHeader
        title="Performance"
        description="Emails of this topic, without opens and clicks by machines."
        actions={
          <Select
            aria-label="Window"
            className="w-40"
            value={window}
            options={windows}
            onChange={({ target }) => setWindow(windows.find(({ value }) => value === target.value)?.value ?? "30d")}
          />
        }
      />
      {error && !data ? (
        <LoadError error={error} onRetry={() => void refetch()} retrying={isFetching} />
      ) : (
        <Figures data={data} />
      )}
    </Card>
  )
}

const figures: {
  label: string
  count(of: TopicPerformance): number
  share?(of: TopicPerformance): [rate: number, of: string]
  /** What is said instead of a share where delivery is not reported. */
  unreported?(of: TopicPerformance): string
}[] = [
  { label: "Sent", count: ({ totalEmails }) => totalEmails },
  {
    label: "Delivered",
    count: ({ delivered }) => delivered,
    share: ({ deliveryRate }) => [deliveryRate, "of sent"],
    unreported: ({ deliveryNotReported = 0 }) => `not reported of ${formatNumber(deliveryNotReported)}`,
  },
  { label: "Bounced", count: ({ bounced }) => bounced, share: ({ bounceRate }) => [bounceRate, "of sent"] },
  { label: "Opened", count: ({ opened }) => opened, share: (of) => [of.openRate, `of ${reachedWord(of)}`] },
  { label: "Clicked", count: ({ clicked }) => clicked, share: (of) => [of.clickRate, `of ${reachedWord(of)}`] },
  {
    label: "Unsubscribed",
    count: ({ unsubscribed }) => unsubscribed,
    share: (of) => [of.unsubscribeRate, `of ${reachedWord(of)}`],
  },
]

function Figures({ data }: { data?: TopicPerformance }) {
  return (
    <Stats columns={3}>
      {figures.map(({ label, count, share, unreported }) => {
        const [rate, base] = (data && share?.(data)) ?? []
        const missing = data?.deliveryReported === false ? unreported?.(data) : undefined
        return (
          <Stat
            key={label}
            label={label}
            value={data ? formatNumber(count(data)) : <Skeleton className="h-7 w-16" />}
            hint={missing ?? (rate === undefined ? "\u00a0" : `${percent(rate)} ${base}`)}
          />
        )
      })}
    </Stats>
  )
}
