"use client"

import { useQuery } from "@tanstack/react-query"
import { LoadError } from "@/components/emails/load-error"
import { Card, CardHeader } from "@/components/ui/card"
import { Skeleton } from "@/components/ui/skeleton"
import { Stat, Stats } from "@/components/ui/stat"
import { Tooltip } from "@/components/ui/tooltip"
import { percent } from "./percent"
import { summaryQuery } from "./queries"

/** The last seven days in six figures; each says on hover how it is counted. */
export function Figures({ projectId }: { projectId: string }) {
  const summary = useQuery({ ...summaryQuery(projectId), refetchInterval: 30_000 })
  if (!summary.data && summary.isError) {
    return <Card><LoadError error={summary.error} onRetry={() => void summary.refetch()} retrying={summary.isFetching} /></Card>
  }
  const counts = summary.data
  return (
    <Card aria-busy={summary.isPending}>
      <CardHeader title="Last 7 days" actions={<span>Simulator mail is not counted</span>} />
      <Stats columns={3}>
        {figures.map(({ label, means, value }) => (
          <Stat
            key={label}
            label={<Defined label={label} means={means} />}
            value={counts ? value(counts) : <Skeleton className="h-7 w-16" />}
          />
        ))}
      </Stats>
    </Card>
  )
}

type Counts = { sent: number; delivered: number; bounced: number; deliveryRate: number; bounceRate: number; complaintRate: number }

const figures: { label: string; means: string; value: (counts: Counts) => string }[] = [
  { label: "Sent", means: "Hand-offs that a mail server answered: one for each recipient, whatever the answer.", value: ({ sent }) => count(sent) },
  { label: "Delivered", means: "Recipients whose mail server took the email.", value: ({ delivered }) => count(delivered) },
  { label: "Bounced", means: "Recipients whose address does not exist: hard bounces only.", value: ({ bounced }) => count(bounced) },
  { label: "Delivery rate", means: "Delivered, of all sent.", value: ({ sent, deliveryRate }) => share(deliveryRate, sent) },
  { label: "Bounce rate", means: "Hard bounces, of all sent. Below 2 % is well; providers act above 5 %.", value: ({ sent, bounceRate }) => share(bounceRate, sent) },
  {
    label: "Complaint rate",
    means: "Recipients who marked the email as spam, of all delivered. Below 0.1 % is well; providers act above 0.3 %.",
    value: ({ delivered, complaintRate }) => share(complaintRate, delivered),
  },
]

function Defined({ label, means }: { label: string; means: string }) {
  return (
    <Tooltip text={means}>
      <span tabIndex={0} className="rounded-sm underline decoration-line-strong decoration-dotted underline-offset-4">{label}</span>
    </Tooltip>
  )
}

function count(value: number): string {
  return value.toLocaleString("en")
}

/** A rate of nothing says nothing. */
function share(rate: number, base: number): string {
  return base > 0 ? percent(rate) : "–"
}
