"use client"

import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { domainsQuery } from "@/components/emails/queries"
import { LoadError } from "@/components/data/load-error"
import { BreakdownTable, type Group } from "@/components/metrics/breakdown-table"
import { metricsBreakdown, type BreakdownBy } from "@/components/metrics/queries"
import type { BreakdownRow } from "@/components/metrics/types"
import type { MetricsView } from "@/components/metrics/view"
import { Card, CardHeader } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import { Segmented } from "@/components/ui/segmented"
import { SkeletonRows } from "@/components/ui/skeleton"

type Choice = "mail" | "topic" | "tag"
const choices: Record<Choice, BreakdownBy[]> = { mail: ["provider", "domain"], topic: ["topic"], tag: ["tag"] }
const options: { value: Choice; label: string }[] = [
  { value: "mail", label: "Provider and domain" },
  { value: "topic", label: "Topic" },
  { value: "tag", label: "Tag" },
]

/** The figures by mailbox provider and sending domain, by topic or by tag. */
export function BreakdownCard({ projectId, view }: { projectId: string; view: MetricsView }) {
  const [choice, setChoice] = useState<Choice>("mail")
  const [first, second] = choices[choice]
  const one = useQuery({ ...metricsBreakdown(projectId, view, first ?? "provider"), placeholderData: keep })
  const two = useQuery({
    ...metricsBreakdown(projectId, view, second ?? "domain"),
    placeholderData: keep,
    enabled: second !== undefined,
  })
  const domains = useQuery(domainsQuery(projectId)).data?.data ?? []
  const failed = [one, second ? two : null].find((read) => read?.isError && !read.data)
  const ready = one.data?.by === first && (!second || two.data?.by === second)

  const linkOf = (by: BreakdownBy, { key }: BreakdownRow): string | undefined => {
    const to = (name: string, value: string) =>
      `/projects/${projectId}/emails?${new URLSearchParams({ [name]: value })}`
    if (by === "topic") return to("topic", key)
    if (by === "tag") return to("tag", key)
    const id = by === "domain" ? domains.find(({ domain }) => domain === key)?.id : undefined
    return id && to("domain", id)
  }
  const groups: Group[] = [one.data, second ? two.data : undefined].flatMap((breakdown) =>
    breakdown ? [{ ...breakdown, ...wordsOf[breakdown.by], linkOf: (row) => linkOf(breakdown.by, row) }] : [],
  )
  return (
    <Card aria-labelledby="metrics-breakdown">
      <CardHeader
        id="metrics-breakdown"
        title="Breakdown"
        description={view.domain ? "For all domains, whatever is selected above." : undefined}
        actions={<Segmented label="Break down by" value={choice} onChange={setChoice} options={options} />}
      />
      {failed ? (
        <LoadError error={failed.error} onRetry={() => void failed.refetch()} retrying={failed.isFetching} />
      ) : ready ? (
        <div className={cn("transition-opacity", (one.isPlaceholderData || two.isPlaceholderData) && "opacity-50")}>
          <BreakdownTable groups={groups} />
        </div>
      ) : (
        <SkeletonRows rows={6} label="Loading the breakdown" />
      )}
    </Card>
  )
}

function keep<T>(earlier: T | undefined): T | undefined {
  return earlier
}

const wordsOf: Record<BreakdownBy, { title: string; note?: string; others: [string, string]; none: string }> = {
  provider: {
    title: "Mailbox provider",
    note: "Gmail, iCloud, GMX and WEB.DE do not report complaints",
    others: ["other provider", "other providers"],
    none: "No email in this period.",
  },
  domain: { title: "Sending domain", others: ["other domain", "other domains"], none: "No email in this period." },
  topic: { title: "Topic", others: ["other topic", "other topics"], none: "No email with a topic in this period." },
  tag: { title: "Tag", others: ["other tag", "other tags"], none: "No email with a tag in this period." },
}
