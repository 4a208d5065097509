"use client"

import { hashKey, useIsFetching, useQueryClient } from "@tanstack/react-query"
import { type BreakdownBy, metricsBreakdown } from "@/components/metrics/queries"
import type { MetricsBreakdown, Summary, MetricsTimeline } from "@/components/metrics/types"
import type { MetricsView } from "@/components/metrics/view"
import { Button } from "@/components/ui/button"

type ExportFiguresProps = {
  projectId: string
  view: MetricsView
  /** None while the figures of another view are shown. */
  figures: { summary: Summary; timeline: MetricsTimeline } | null
}

const dimensions: readonly BreakdownBy[] = ["provider", "domain", "topic", "tag"]

/**
 * A file of the figures that are loaded: totals, bars, and the breakdowns that were opened. Nothing is asked of the server; while
 * a breakdown of this view is on its way the button waits for it, or the file would lack what the page is about to show.
 */
export function ExportFigures({ projectId, view, figures }: ExportFiguresProps) {
  const client = useQueryClient()
  const keys = dimensions.map((by) => hashKey(metricsBreakdown(projectId, view, by).queryKey))
  const loading = useIsFetching({
    predicate: ({ queryHash, state }) => state.data === undefined && keys.includes(queryHash),
  })
  async function save() {
    if (!figures) return
    const { csvName, figuresCsv } = await import("@/components/metrics/figures-csv")
    const breakdowns = dimensions.flatMap((by) => {
      const loaded = client.getQueryData<MetricsBreakdown>(metricsBreakdown(projectId, view, by).queryKey)
      return loaded ? [loaded] : []
    })
    download(csvName(figures.summary, view.domain), figuresCsv({ ...figures, breakdowns }))
  }
  return (
    <Button disabled={!figures || loading > 0} onClick={() => void save()}>
      Export CSV
    </Button>
  )
}

function download(name: string, text: string) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }))
  const link = document.createElement("a")
  link.href = address
  link.download = name
  link.click()
  // Some browsers read it after the click has returned.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
