import type { ReactNode } from "react"
import { cn } from "@/components/ui/cn"
import type { Tone } from "@/components/ui/pill"

type StatProps = {
  label: ReactNode
  value: ReactNode
  /** Change to the period before; its tone says whether it is good news. */
  delta?: { text: string; tone?: Tone }
  /** Usually a Sparkline. */
  aside?: ReactNode
  hint?: ReactNode
}

export function Stat({ label, value, delta, aside, hint }: StatProps) {
  return (
    <div className="min-w-0 bg-panel px-4 py-3.5">
      <dt className="text-muted">{label}</dt>
      <dd className="mt-1 flex items-end justify-between gap-3">
        <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          <span className="text-2xl font-semibold tracking-[-0.01em] tabular-nums">{value}</span>
          {delta ? (
            <span className={cn("text-xs tabular-nums", deltaStyle[delta.tone ?? "wait"])}>{delta.text}</span>
          ) : null}
        </span>
        {aside}
      </dd>
      {hint ? <dd className="mt-0.5 text-xs text-faint">{hint}</dd> : null}
    </div>
  )
}

/** Stats side by side with lines between; put it into a Card. */
export function Stats({ children, columns = 4 }: { children: ReactNode; columns?: 2 | 3 | 4 }) {
  return <dl className={cn("grid grid-cols-2 gap-px bg-line", lastAlone, perRow[columns])}>{children}</dl>
}

/** Two abreast an odd one at the end takes the whole line. */
const lastAlone = "max-lg:[&>*:last-child:nth-child(odd)]:col-span-2"

const perRow = { 2: "", 3: "lg:grid-cols-3", 4: "lg:grid-cols-4" }

const deltaStyle: Record<Tone, string> = { wait: "text-muted", warn: "text-warn", good: "text-good", bad: "text-bad" }
