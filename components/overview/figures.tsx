"use client"

import { useQuery } from "@tanstack/react-query"
import { LoadError } from "@/components/emails/load-error"
import { Card, CardHeader } from "@/components/ui/card"
import { Skeleton } from "@/components/ui/skeleton"
import { Sparkline } from "@/components/ui/sparkline"
import { Stat, Stats } from "@/components/ui/stat"
import { Tooltip } from "@/components/ui/tooltip"
import { figures, type Figure } from "@/components/overview/figure-table"
import { summaryQuery, timelineQuery } from "@/components/overview/queries"

/** The last seven days in six figures beside the seven before; each says on hover how it is counted. */
export function Figures({ projectId }: { projectId: string }) {
  const summary = useQuery({ ...summaryQuery(projectId), refetchInterval: 30_000 })
  const days = useQuery({ ...timelineQuery(projectId), refetchInterval: 300_000 }).data?.buckets.slice(-7)
  if (!summary.data && summary.isError) {
    return (
      <Card>
        <LoadError error={summary.error} onRetry={() => void summary.refetch()} retrying={summary.isFetching} />
      </Card>
    )
  }
  const { data } = summary
  const compared = Boolean(data?.previous && data.previous.sent > 0)
  return (
    <Card aria-busy={summary.isPending}>
      <CardHeader
        title="Last 7 days"
        description={compared ? "Changes are to the 7 days before." : undefined}
        actions={<span>Simulator mail is not counted</span>}
      />
      <Stats columns={3}>
        {figures.map((figure) => (
          <Stat
            key={figure.label}
            label={<Defined figure={figure} />}
            value={data ? figure.value(data) : <Skeleton className="h-7 w-16" />}
            delta={data?.previous ? figure.change(data, data.previous) : undefined}
            aside={days && data ? <Line figure={figure} values={days.map(figure.point)} /> : null}
          />
        ))}
      </Stats>
    </Card>
  )
}

function Line({ figure, values }: { figure: Figure; values: number[] }) {
  return (
    <Sparkline
      values={values}
      label={`${figure.label} a day, over the last 7 days: ${values.map(figure.write).join(", ")}`}
      className="hidden shrink-0 sm:block"
    />
  )
}

function Defined({ figure: { label, means } }: { figure: Figure }) {
  return (
    <Tooltip text={means}>
      <span tabIndex={0} className="rounded-sm underline decoration-line-strong decoration-dotted underline-offset-4">
        {label}
      </span>
    </Tooltip>
  )
}
