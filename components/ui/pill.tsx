import type { ReactNode } from "react"
import { cn } from "@/components/ui/cn"
import { Tooltip } from "@/components/ui/tooltip"

/** Grey waits, amber wants attention or is at work, green is well, red needs you. */
export type Tone = "wait" | "warn" | "good" | "bad"

export type PillProps = {
  tone?: Tone
  /** What the state means and what to do about it: shown on hover and focus. */
  tip?: ReactNode
  /** False in tables, where each would be a stop of the Tab key. */
  focusable?: boolean
  className?: string
  children: ReactNode
}

export function Pill({ tone = "wait", tip, focusable = true, className, children }: PillProps) {
  const pill = (
    <span
      className={cn(
        "-my-px inline-flex max-w-full items-center gap-1.5 rounded-full px-2 py-px align-top text-xs font-medium whitespace-nowrap",
        toneStyle[tone],
        className,
      )}
      tabIndex={tip && focusable ? 0 : undefined}
    >
      <span aria-hidden="true" className="size-1.5 shrink-0 rounded-full bg-current" />
      <span className="truncate">{children}</span>
      {tip && !focusable ? <span className="sr-only">. {tip}</span> : null}
    </span>
  )
  return tip ? <Tooltip text={tip}>{pill}</Tooltip> : pill
}

const toneStyle: Record<Tone, string> = {
  wait: "bg-wait-soft text-wait",
  warn: "bg-warn-soft text-warn",
  good: "bg-good-soft text-good",
  bad: "bg-bad-soft text-bad",
}
