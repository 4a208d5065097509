import { formatNumber } from "@/lib/platform/format"
import type { Hour } from "@/components/overview/hour"
import { clockOf, periodOf } from "@/components/stream/bar-words"
import { byType, totalOf } from "@/components/stream/rate"
import { StackedBars } from "@/components/stream/stacked-bars"
import { eventTypes } from "@/components/stream/stream-event"
import { TypeDot } from "@/components/stream/type-dot"
import { dynamic } from "@/components/ui/dynamic"
import { useTouched } from "@/components/ui/use-touched"
import { periodsOfHour } from "@/lib/stream/rules"

const BarReader = dynamic(() => import("@/components/stream/bar-reader").then((module) => module.BarReader), {
  ssr: false,
})

/** The number of events that fills the height, unless a bar has more: a single event is no burst. */
const scaleMin = 10

/** 30 bars of two minutes, stacked by type, and how many there were of each type. */
export function HourBars({ bars, until, since }: Hour) {
  const touched = useTouched()
  const counts = byType(bars)
  const types = Object.entries(eventTypes).flatMap(([type, { word }]) => {
    const count = counts[type]
    return count ? [{ type, word, count: formatNumber(count) }] : []
  })
  const title = titleOf(totalOf(counts), since)
  const parts = types.map(({ word, count }) => `${count} ${word.toLowerCase()}`)
  return (
    <div className="grid items-end gap-x-8 gap-y-3 px-4 py-3 tabular-nums sm:grid-cols-[minmax(0,1fr)_fit-content(50%)]">
      <div className="min-w-0">
        <p className="mb-1 text-xs text-muted">{title}</p>
        <div className="border-b border-line-strong">
          <div className="relative ml-auto h-10" style={{ width: `${(bars.length / periodsOfHour) * 100}%` }}>
            <StackedBars
              bars={bars}
              scale={Math.max(scaleMin, ...bars.map(totalOf))}
              label={`${title}, by 2 minutes${parts.length ? `: ${parts.join(", ")}` : ""}.`}
            />
            {touched ? <BarReader bars={bars} until={until} unit="Two minutes" timeOf={periodOf} /> : null}
          </div>
        </div>
      </div>
      <dl className="flex flex-wrap gap-x-5 gap-y-2">
        {types.map(({ type, word, count }) => (
          <div key={type}>
            <dt className="flex items-center gap-1.5 text-xs text-muted">
              <TypeDot type={type} />
              {word}
            </dt>
            <dd className="font-semibold">{count}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

function titleOf(total: number, since: string | null): string {
  const events = total === 0 ? "No events" : `${formatNumber(total)} ${total === 1 ? "event" : "events"}`
  return since ? `${events} since ${clockOf(Date.parse(since) / 1000)}` : `${events} in the last hour`
}
