import { cn } from "@/components/ui/cn"
import type { Tone } from "@/components/ui/pill"

/** A grey placeholder; give it the size of the content that replaces it. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={cn("block h-4 animate-pulse rounded-sm bg-wait-soft", className)} />
}

/** Rows of a table or list that is loading: as high as the real ones, so nothing jumps. */
export function SkeletonRows({ rows = 5, label = "Loading" }: { rows?: number; label?: string }) {
  return (
    <div role="status" aria-label={label} className="divide-y divide-line">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="flex h-[41px] items-center gap-8 px-4">
          <Skeleton className={firstWidth[row % firstWidth.length]} />
          <Skeleton className="hidden w-1/4 sm:block" />
          <Skeleton className="ml-auto w-16" />
        </div>
      ))}
    </div>
  )
}

const firstWidth = ["w-1/3", "w-2/5", "w-1/4", "w-2/6", "w-3/8"]

export function Spinner({ className }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 16 16" fill="none" className={cn("size-4 animate-spin", className)}>
      <circle cx="8" cy="8" r="6" stroke="currentColor" strokeOpacity="0.25" strokeWidth="2" />
      <path d="M14 8a6 6 0 0 0-6-6" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  )
}

type ProgressProps = {
  /** Names what advances. */
  label: string
  value: number
  max: number
  tone?: Tone | "accent"
  className?: string
}

/** A progress bar beside text that gives the figures. SVG, because it needs no inline style. */
export function ProgressBar({ label, value, max, tone = "accent", className }: ProgressProps) {
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
      className={cn("h-1.5 w-full overflow-hidden rounded-full bg-wait-soft", fill[tone], className)}
    >
      <svg aria-hidden="true" width="100%" height="100%" preserveAspectRatio="none" className="block">
        <rect width={`${share * 100}%`} height="100%" rx="3" fill="currentColor" />
      </svg>
    </div>
  )
}

const fill = { accent: "text-accent", wait: "text-wait", warn: "text-warn", good: "text-good", bad: "text-bad" }
