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
