import type { ReactNode } from "react"
import { cn } from "@/components/ui/cn"
import { Tooltip } from "@/components/ui/tooltip"

/** Grey waits, amber wants attention or is at work, green is well, red needs you. */
export type Tone = "wait" | "warn" | "good" | "bad"

export type PillProps = {
  tone?: Tone
  /** What the state means and what to do about it: shown on hover and focus. */
  tip?: ReactNode
  /**
   * In tables and lists: a dot and a word without a background, so that a column of them stays calm, and no stop of
   * the Tab key.
   */
  inTable?: boolean
  className?: string
  children: ReactNode
}

export function Pill({ tone = "wait", tip, inTable = false, className, children }: PillProps) {
  const pill = (
    <span
      className={cn(
        "inline-flex max-w-full items-center align-top whitespace-nowrap",
        inTable ? "gap-2" : "-my-px gap-1.5 rounded-full px-2 py-px text-xs font-medium",
        inTable ? plain[tone] : filled[tone],
        className,
      )}
      tabIndex={tip && !inTable ? 0 : undefined}
    >
      <span aria-hidden="true" className="size-1.5 shrink-0 rounded-full bg-current" />
      <span className="truncate">{children}</span>
      {tip && inTable ? <span className="sr-only">. {tip}</span> : null}
    </span>
  )
  return tip ? <Tooltip text={tip}>{pill}</Tooltip> : pill
}

const plain: Record<Tone, string> = { wait: "text-muted", warn: "text-warn", good: "text-good", bad: "text-bad" }

const filled: Record<Tone, string> = {
  wait: "bg-wait-soft text-wait",
  warn: "bg-warn-soft text-warn",
  good: "bg-good-soft text-good",
  bad: "bg-bad-soft text-bad",
}
