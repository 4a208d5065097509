import type { ReactNode } from "react"
import { cn } from "@/components/ui/cn"

/** What was expected beside what was found, and the likely reason below. Children are DiffRows, or pairs of DiffHalf. */
export function Diff({ children }: { children: ReactNode }) {
  return (
    // Above the press that copies a whole cell.
    <dl className="relative z-1 mt-2 grid grid-cols-2 gap-px overflow-hidden rounded-md border border-line bg-line whitespace-normal">
      {children}
    </dl>
  )
}

type DiffRowProps = {
  label: string
  /** Values are monospaced; the likely reason is prose on amber. */
  likely?: boolean
  children: ReactNode
}

export function DiffRow({ label, likely, children }: DiffRowProps) {
  return (
    <div className={cn("col-span-full grid grid-cols-[76px_1fr] px-2.5 py-1.5", likely ? "bg-warn-soft" : "bg-panel")}>
      <dt className="text-muted">{label}</dt>
      <dd className={cn("min-w-0 [overflow-wrap:anywhere]", !likely && "mono")}>{children}</dd>
    </div>
  )
}

/** Of two whole values side by side, below each other on a phone. */
export function DiffHalf({ label, children }: Omit<DiffRowProps, "likely">) {
  return (
    <div className="min-w-0 bg-panel px-2.5 py-1.5 max-sm:col-span-full">
      <dt className="text-muted">{label}</dt>
      <dd className="mono [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}

/** The part that differs. */
export function Mark({ children }: { children: ReactNode }) {
  return <mark className="rounded-[3px] bg-bad-soft px-0.5 text-bad">{children}</mark>
}
