"use client"

import { useQueryClient } from "@tanstack/react-query"
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

/** A file of the figures that are loaded: totals, bars, and the breakdowns that were opened. Nothing is asked of the server. */
export function ExportFigures({ projectId, view, figures }: ExportFiguresProps) {
  const client = useQueryClient()
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
    <Button disabled={!figures} onClick={() => void save()}>
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
