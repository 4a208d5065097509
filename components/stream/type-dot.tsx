import { barFill } from "@/components/stream/bar-fill"
import { cn } from "@/components/ui/cn"

/** A dot in the shade that the bars of this type have. */
export function TypeDot({ type }: { type: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 8 8" className={cn("size-2 shrink-0", barFill[type])}>
      <circle cx="4" cy="4" r="4" />
    </svg>
  )
}
