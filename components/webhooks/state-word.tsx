import type { ReactNode } from "react"
import { cn } from "@/components/ui/cn"
import type { Tone } from "@/components/ui/pill"
import { Tooltip } from "@/components/ui/tooltip"

type StateWordProps = { tone: Tone; tip: string; children: ReactNode }

/** A state as a dot and a word of the same colour; on hover and focus what it means and what to do. */
export function StateWord({ tone, tip, children }: StateWordProps) {
  return (
    <Tooltip text={tip}>
      <span tabIndex={0} className={cn("inline-flex items-center gap-1.5 rounded-sm font-normal", tones[tone])}>
        <span aria-hidden="true" className="size-1.5 shrink-0 rounded-full bg-current" />
        {children}
      </span>
    </Tooltip>
  )
}

const tones: Record<Tone, string> = { wait: "text-muted", warn: "text-warn", good: "text-good", bad: "text-bad" }
