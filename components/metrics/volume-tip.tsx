import { formatNumber } from "@/lib/platform/format"
import { barText, shownSeries, type Bar } from "@/components/metrics/chart"
import { cn } from "@/components/ui/cn"

/** The figures of the bar under the pointer, beside it. */
export function VolumeTip({
  bar,
  granularity,
  timeZone,
  earlier,
  left,
  place,
}: {
  bar: Bar
  granularity: string
  timeZone: string
  /** Sent on the same day a week before. */
  earlier?: number | undefined
  left: boolean
  place: number
}) {
  const words = shownSeries(bar.parts)
  return (
    <div
      aria-hidden="true"
      className={cn(
        "pointer-events-none absolute top-1 z-10 w-52 rounded-md border border-line-strong bg-panel p-3 shadow-float max-sm:inset-x-0 max-sm:w-auto",
        left ? "-translate-x-[calc(100%+16px)] max-sm:translate-x-0" : "translate-x-4 max-sm:translate-x-0",
      )}
      style={{ left: `${place * 100}%` }}
    >
      <p className="mb-1.5 flex justify-between gap-2 font-semibold">
        <span>{barText(bar, granularity, timeZone)}</span>
        <span className="tabular-nums">{formatNumber(bar.sent)}</span>
      </p>
      {bar.sent === 0 ? <p className="text-muted">No email</p> : null}
      {bar.sent === 0
        ? null
        : words.map(({ name, label, colour }) => (
            <p key={name} className="flex items-center gap-2 text-muted">
              <span className={cn("size-2 rounded-xs", colour)} />
              <span className="flex-1">{label}</span>
              <span className="text-text tabular-nums">{formatNumber(bar.parts[name])}</span>
            </p>
          ))}
      {earlier === undefined ? null : (
        <p className="flex items-center gap-2 text-muted">
          <span className="h-0.5 w-2 bg-text" />
          <span className="flex-1">A week before</span>
          <span className="text-text tabular-nums">{formatNumber(earlier)}</span>
        </p>
      )}
      {bar.forecast && bar.forecast > bar.sent ? (
        <p className="mt-1.5 border-t border-line pt-1.5 text-xs text-muted">
          About {formatNumber(bar.forecast)} at the current rate
        </p>
      ) : null}
    </div>
  )
}
