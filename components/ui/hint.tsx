import type { ReactNode } from "react"
import { cn } from "@/components/ui/cn"

type HintProps = {
  children: ReactNode
  action?: ReactNode
  tone?: "accent" | "warn" | "bad" | "good"
  /** Shown on its own rather than as a row of a card. */
  alone?: boolean
}

/** A coloured row with one sentence of advice and what to do about it. */
export function Hint({ children, action, tone = "accent", alone }: HintProps) {
  return (
    <div
      className={cn(
        "flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line px-4 py-3 sm:flex-nowrap",
        alone ? "mb-4 rounded-lg border" : "border-b last:border-b-0",
        background[tone],
      )}
    >
      <div className="min-w-0 [overflow-wrap:anywhere]">{children}</div>
      {action ? <div className="flex shrink-0 flex-wrap items-center gap-2">{action}</div> : null}
    </div>
  )
}

const background = { accent: "bg-accent-soft", warn: "bg-warn-soft", bad: "bg-bad-soft", good: "bg-good-soft" }
