import type { ReactNode } from "react"

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
