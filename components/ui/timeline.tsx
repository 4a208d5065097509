import type { ReactNode } from "react"
import { cn } from "@/components/ui/cn"
import type { Tone } from "@/components/ui/pill"

export function Timeline({ children, label }: { children: ReactNode; label?: string }) {
  return (
    <ol aria-label={label} className="py-2">
      {children}
    </ol>
  )
}

type TimelineItemProps = {
  tone?: Tone
  title: ReactNode
  detail?: ReactNode
  time?: ReactNode
  /** More below, such as a diff or a button. */
  children?: ReactNode
}

export function TimelineItem({ tone = "wait", title, detail, time, children }: TimelineItemProps) {
  return (
    <li
      className="relative grid grid-cols-[24px_1fr_auto] px-4 py-2 before:absolute before:top-6 before:-bottom-1.5 before:left-[19.5px]
        before:w-px before:bg-line last:before:hidden"
    >
      <span aria-hidden="true" className={cn("relative mt-1.5 size-2 rounded-full", dot[tone])} />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {title}
        {detail ? <span className="block text-sm text-muted">{detail}</span> : null}
        {children}
      </span>
      {time ? <span className="ml-3 text-faint tabular-nums">{time}</span> : null}
    </li>
  )
}

const dot: Record<Tone, string> = { wait: "bg-line-field", warn: "bg-warn", good: "bg-good", bad: "bg-bad" }

/** A list of dated lines, as in a log of checks. */
export function Lines({ children, label }: { children: ReactNode; label?: string }) {
  return (
    <ul aria-label={label} className="divide-y divide-line">
      {children}
    </ul>
  )
}

type LineProps = { time: ReactNode; children: ReactNode; aside?: ReactNode }

export function Line({ time, children, aside }: LineProps) {
  return (
    <li className="grid grid-cols-[1fr_auto] gap-x-4 px-4 py-2 sm:grid-cols-[120px_1fr_auto]">
      <span className="col-span-2 text-faint tabular-nums sm:col-span-1">{time}</span>
      <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
      <span>{aside}</span>
    </li>
  )
}
