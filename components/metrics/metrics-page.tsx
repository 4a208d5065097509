"use client"

import { useQuery, hashKey, useIsFetching, useQueryClient } from "@tanstack/react-query"
import { BarChart3, Check } from "lucide-react"
import { usePathname, useSearchParams } from "next/navigation"
import { useCallback, useEffect, useRef, useState, type FormEvent, type ReactNode } from "react"
import { allDomainsQuery } from "@/components/emails/queries"
import { LoadError } from "@/components/data/load-error"
import { isPlainKey, isTyping } from "@/components/layout/keys"
import { AdvisorCard } from "@/components/metrics/advisor-card"
import { BreakdownCard } from "@/components/metrics/breakdown-card"
import { OpensCard, RatesCard, VolumeCard } from "@/components/metrics/cards"
import {
  metricsSummary,
  metricsTimeline,
  metricsWeekBefore,
  type BreakdownBy,
  metricsBreakdown,
  viewHref,
  periodWords,
  viewOf,
  windowNames,
  type MetricsView,
  customDaysMax,
  daysOf,
  windowWords,
  type WindowName,
} from "@/components/metrics/queries"
import { projectDetail } from "@/components/data/query"
import { ButtonLink, Button } from "@/components/ui/button"
import { Card } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import { EmptyState } from "@/components/ui/empty-state"
import { useTimeZone } from "@/components/ui/local-time"
import { PageHeader } from "@/components/ui/page-header"
import { SkeletonRows } from "@/components/ui/loading"
import { useServerClock } from "@/components/ui/relative-time"
import type { MetricsBreakdown, Summary, MetricsTimeline } from "@/components/metrics/chart"
import { dayIn } from "@/components/data/day-filters"
import { Input } from "@/components/ui/input"
import { Segmented } from "@/components/ui/segmented"
import { Select } from "@/components/ui/select"

/** How the project's mail is doing in a window, by what, and what to improve. */
export function MetricsPage({ projectId }: { projectId: string }) {
  const [view, change] = useView()
  const summary = useQuery({ ...metricsSummary(projectId, view), placeholderData: keep, refetchInterval: 60_000 })
  const timeline = useQuery({ ...metricsTimeline(projectId, view), placeholderData: keep, refetchInterval: 60_000 })
  const domains = useQuery(allDomainsQuery(projectId)).data?.data.map(({ domain }) => domain) ?? []
  const tracking = useQuery(projectDetail(projectId)).data?.trackingSettings
  const failed = [summary, timeline].find((read) => read.isError && !read.data)
  const stale = summary.isPlaceholderData || timeline.isPlaceholderData
  const weekly = view.compare && view.window === "7d" && view.from === ""
  const before = useQuery({
    ...metricsWeekBefore(projectId, view, timeline.data?.window.from ?? ""),
    enabled: weekly && timeline.data?.window.label === "7d",
  })
  const figures = summary.data && timeline.data && !stale ? { summary: summary.data, timeline: timeline.data } : null
  const compared = view.compare && Boolean(summary.data?.previous?.sent)
  const meta = [
    ...(compared ? [`Compared with the ${periodWords(view)} before.`] : []),
    `Days are in ${view.timeZone}. Email to simulator addresses and in test mode is not counted.`,
  ]
  return (
    <>
      <PageHeader
        title="Metrics"
        meta={meta}
        actions={
          <Controls view={view} domains={domains} onChange={change}>
            <ExportFigures projectId={projectId} view={view} figures={figures} />
          </Controls>
        }
      />
      {summary.data && timeline.data ? (
        <div className={cn("transition-opacity", stale && "opacity-50")} aria-busy={stale}>
          {summary.data.sent === 0 && !summary.data.previous?.sent ? (
            <Nothing projectId={projectId} words={periodWords(view)} />
          ) : (
            <>
              <VolumeCard
                projectId={projectId}
                summary={summary.data}
                timeline={timeline.data}
                weekly={weekly}
                earlier={before.data}
              />
              <div className="grid gap-x-4 xl:grid-cols-[minmax(0,1fr)_19rem]">
                <RatesCard summary={summary.data} tracking={tracking} />
                <OpensCard projectId={projectId} summary={summary.data} tracking={tracking} />
              </div>
              <BreakdownCard projectId={projectId} view={view} tracking={tracking} />
            </>
          )}
        </div>
      ) : (
        <Card>
          {failed ? (
            <LoadError error={failed.error} onRetry={() => void failed.refetch()} retrying={failed.isFetching} />
          ) : (
            <SkeletonRows rows={8} label="Loading the metrics" />
          )}
        </Card>
      )}
      <AdvisorCard projectId={projectId} />
    </>
  )
}

function Nothing({ projectId, words }: { projectId: string; words: string }) {
  return (
    <Card>
      <EmptyState
        icon={<BarChart3 />}
        title="Metrics appear with the first email"
        action={<ButtonLink href={`/projects/${projectId}`}>Open the overview</ButtonLink>}
      >
        Volume, rates and opens, by mailbox provider, domain, topic and tag. Nothing was sent in these {words}.
      </EmptyState>
    </Card>
  )
}

function keep<T>(earlier: T | undefined): T | undefined {
  return earlier
}

/** The view in the address, and the keys: 1 to 4 choose the window, x the comparison. */
function useView() {
  const params = useSearchParams()
  const pathname = usePathname()
  const view = viewOf(params, useTimeZone())
  const change = useCallback(
    (by: Partial<MetricsView>) => {
      const before = new URLSearchParams(window.location.search)
      const next = new URLSearchParams(viewHref({ ...viewOf(before), ...by }))
      // The table below is sorted as before.
      const sort = before.get("sort")
      if (sort) next.set("sort", sort)
      window.history.pushState(null, "", `${pathname}${next.size ? `?${next}` : ""}`)
    },
    [pathname],
  )
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || !isPlainKey(event) || isTyping(event.target)) return
      const name = windowNames[Number(event.key) - 1]
      if (name) change({ window: name, from: "", to: "" })
      if (event.key === "x") change({ compare: !viewOf(new URLSearchParams(window.location.search)).compare })
    }
    document.addEventListener("keydown", onKeyDown)
    return () => document.removeEventListener("keydown", onKeyDown)
  }, [change])
  return [view, change] as const
}

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
function ExportFigures({ projectId, view, figures }: ExportFiguresProps) {
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

type ControlsProps = {
  view: MetricsView
  domains: readonly string[]
  onChange: (change: Partial<MetricsView>) => void
  /** What else is in the row. */
  children?: ReactNode
}

/** Domain, window and comparison; all are in the address of the page. */
function Controls({ view, domains, onChange, children }: ControlsProps) {
  const ranged = view.from !== ""
  // Which window it was when days were asked for: a key may have chosen another one since.
  const [datedFrom, setDatedFrom] = useState<WindowName>()
  const dated = datedFrom === view.window
  const names = view.domain && !domains.includes(view.domain) ? [view.domain, ...domains] : domains
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Select
        aria-label="Sending domain"
        className="w-auto max-w-60 min-w-36"
        value={view.domain}
        onChange={(event) => onChange({ domain: event.target.value })}
        options={[{ value: "", label: "All domains" }, ...names.map((name) => ({ value: name, label: name }))]}
      />
      <Segmented<WindowName | "custom">
        label="Period"
        value={ranged || dated ? "custom" : view.window}
        onChange={(window) => {
          setDatedFrom(window === "custom" ? view.window : undefined)
          if (window !== "custom") onChange({ window, from: "", to: "" })
        }}
        options={[
          ...windowNames.map((name) => ({ value: name, label: windowWords[name] })),
          { value: "custom" as const, label: "Custom" },
        ]}
        className="max-sm:w-full max-sm:[&_label]:px-0.5"
      />
      <Button
        aria-pressed={view.compare}
        onClick={() => onChange({ compare: !view.compare })}
        className={cn(view.compare && "bg-wait-soft")}
        icon={view.compare ? <Check /> : undefined}
      >
        Compare
      </Button>
      {children}
      {ranged || dated ? (
        <RangeForm
          view={view}
          onChange={(range) => {
            setDatedFrom(undefined)
            onChange(range)
          }}
        />
      ) : null}
    </div>
  )
}

function RangeForm({ view, onChange }: Pick<ControlsProps, "view" | "onChange">) {
  const [fault, setFault] = useState("")
  const form = useRef<HTMLFormElement>(null)
  const shown = `${view.from} ${view.to}`
  const last = useRef(shown)
  useEffect(() => {
    // Back to other days: what is in the fields is of those before.
    if (last.current !== shown) form.current?.reset()
    last.current = shown
  }, [shown])
  function apply(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const [from, to] = [String(data.get("from")), String(data.get("to"))]
    const said = faultOf(from, to)
    setFault(said)
    if (!said) onChange({ from, to })
  }
  const now = useServerClock()
  const today = dayIn(view.timeZone, new Date(now()))
  return (
    <form ref={form} onSubmit={apply} className="flex w-full flex-wrap items-center gap-2 sm:justify-end">
      <label className="flex items-center gap-2 text-muted">
        From <Input type="date" name="from" required max={today} defaultValue={view.from} className="w-36" />
      </label>
      <label className="flex items-center gap-2 text-muted">
        to <Input type="date" name="to" required max={today} defaultValue={view.to || today} className="w-36" />
      </label>
      <Button type="submit">Apply</Button>
      {fault ? (
        <p role="alert" className="w-full text-right text-bad">
          {fault}
        </p>
      ) : null}
    </form>
  )
}

function faultOf(from: string, to: string): string {
  if (from > to) return "The first day is after the last."
  return daysOf(from, to) > customDaysMax ? `A period has at most ${customDaysMax} days.` : ""
}
