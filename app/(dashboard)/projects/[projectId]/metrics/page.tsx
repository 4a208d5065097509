import type { Metadata } from "next"
import { Prefetch } from "@/components/data/prefetch"
import { allDomainsQuery } from "@/components/emails/queries"
import { MetricsPage } from "@/components/metrics/metrics-page"
import { metricsBreakdown, metricsSummary, metricsTimeline, viewOf } from "@/components/metrics/queries"
import { projectDetail } from "@/components/data/query"

export const metadata: Metadata = { title: "Metrics" }

type Props = {
  params: Promise<{ projectId: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function Metrics({ params, searchParams }: Props) {
  const { projectId } = await params
  const given = await searchParams
  const view = viewOf({ get: (name) => [given[name]].flat()[0] ?? null })
  // Without the advisor: it is below the first screen, and its five statements would delay the figures.
  const queries = [
    metricsSummary(projectId, view),
    metricsTimeline(projectId, view),
    metricsBreakdown(projectId, view, "provider"),
    metricsBreakdown(projectId, view, "domain"),
    allDomainsQuery(projectId),
    projectDetail(projectId),
  ]
  return (
    <Prefetch queries={queries}>
      <MetricsPage projectId={projectId} />
    </Prefetch>
  )
}
