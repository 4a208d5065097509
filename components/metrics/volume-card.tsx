import { formatNumber } from "@/lib/platform/format"
import { partsOf, sentWeekBefore, shownSeries } from "@/components/metrics/chart"
import type { Summary, Timeline } from "@/components/metrics/types"
import { VolumeChart } from "@/components/metrics/volume-chart"
import { Card } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"

type VolumeCardProps = {
  projectId: string
  summary: Summary
  timeline: Timeline
  /** Each day is compared with the one a week before, not with the average. */
  weekly: boolean
  /** That week, once it is loaded. */
  earlier: Timeline | undefined
}

/** How many were sent, what became of them, and the bars of the window. */
export function VolumeCard({ projectId, summary, timeline, weekly, earlier }: VolumeCardProps) {
  const { previous, sent } = summary
  const parts = partsOf(summary)
  const before = !weekly && previous && previous.sent > 0 ? previous.sent / timeline.buckets.length : null
  const days = weekly && earlier && previous?.sent ? sentWeekBefore(earlier) : null
  const each = timeline.granularity === "hour" ? "Hourly" : "Daily"
  return (
    <Card aria-labelledby="metrics-volume">
      <header className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2 border-b border-line px-4 py-3">
        <p className="flex flex-wrap gap-x-2">
          <b id="metrics-volume" className="font-semibold" role="heading" aria-level={2}>
            {sent === 1 ? "1 email sent" : `${formatNumber(sent)} emails sent`}
          </b>
          {previous ? <span className="text-muted">{changeText(sent, previous.sent)}</span> : null}
        </p>
        <dl className="flex flex-wrap gap-x-4 gap-y-1">
          {shownSeries(parts).map(({ name, label, colour }) => (
            <div key={name} className="flex items-center gap-1.5">
              <span aria-hidden="true" className={cn("size-2 rounded-xs", colour)} />
              <dt className="text-muted">{label}</dt>
              <dd className="font-medium tabular-nums">{formatNumber(parts[name])}</dd>
            </div>
          ))}
          {days ? (
            <div className="flex items-center gap-1.5">
              <span aria-hidden="true" className="h-0.5 w-3 bg-text" />
              <dt className="text-muted">Same day a week before</dt>
              <dd className="sr-only">shown in each day</dd>
            </div>
          ) : null}
          {before === null ? null : (
            <div className="flex items-center gap-1.5">
              <span aria-hidden="true" className="w-3 border-t border-dashed border-text/60" />
              <dt className="text-muted">{each} average before</dt>
              <dd className="font-medium tabular-nums">{formatNumber(Math.round(before))}</dd>
            </div>
          )}
        </dl>
      </header>
      <VolumeChart projectId={projectId} timeline={timeline} before={before} earlier={days} />
    </Card>
  )
}

/** Against fewer a change says nothing. */
const enough = 100

function changeText(now: number, before: number): string {
  if (before < enough)
    return before === 0 ? "none in the period before" : `${formatNumber(before)} in the period before`
  if (now === before) return `as many as in the period before`
  const change = Math.abs(now / before - 1)
  const by =
    change >= 10
      ? `${Math.round(now / before)} times`
      : `${Math.max(1, Math.round(change * 100))}% ${now > before ? "more than" : "less than"}`
  return `${by} the ${formatNumber(before)} before`
}
