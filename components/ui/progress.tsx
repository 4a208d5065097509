import { cn } from "@/components/ui/cn"
import type { Tone } from "@/components/ui/pill"

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
