import type { ReactNode } from "react"
import { cn } from "@/components/ui/cn"
import type { Tone } from "@/components/ui/pill"

type CalloutProps = { tone: Tone; title: ReactNode; children?: ReactNode; action?: ReactNode; className?: string }

/** One sentence that answers, the reason below it, and what to do about it beside it. */
export function Callout({ tone, title, children, action, className }: CalloutProps) {
  return (
    <section
      className={cn(
        "mb-4 flex flex-wrap items-center justify-between gap-4 rounded-lg border border-l-3 border-line bg-panel p-4",
        "sm:flex-nowrap",
        edge[tone],
        className,
      )}
    >
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <h2 className="mb-0.5 text-lg font-semibold">{title}</h2>
        {children ? <div className="text-muted">{children}</div> : null}
      </div>
      {action ? <div className="flex shrink-0 flex-wrap gap-2">{action}</div> : null}
    </section>
  )
}

const edge: Record<Tone, string> = {
  wait: "border-l-line-strong",
  warn: "border-l-warn",
  good: "border-l-good",
  bad: "border-l-bad",
}

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
