import type { ReactNode } from "react"
import { CopyChip } from "@/components/ui/copy-button"
import { cn } from "@/components/ui/cn"

type CopyTextProps = {
  value: string
  /** What it is, for screen readers: "host", "value", "request id". */
  name: string
  /** Shown instead of the value, for example a shortened id. */
  display?: ReactNode
  /** Breaks over lines instead of ending in an ellipsis. */
  wrap?: boolean
  /** The chip follows the text rather than being at the end of the cell. */
  inline?: boolean
  /** A press anywhere in the cell, which must be `relative group/copy`, copies; the icon waits for hover and focus. */
  wholeCell?: boolean
  className?: string
}

/** A value in monospace with its copy chip: for table cells, ids and keys. */
export function CopyText({ value, name, display, wrap, inline, wholeCell, className }: CopyTextProps) {
  return (
    <span
      className={cn(
        "flex min-w-0 items-start gap-2",
        inline ? "inline-flex max-w-full align-top" : "justify-between",
        className,
      )}
    >
      <code title={value} className={cn("min-w-0", wrap ? "[overflow-wrap:anywhere]" : "truncate")}>
        {display ?? value}
      </code>
      <CopyChip value={value} name={name} className={cn("-my-0.5", wholeCell && inWholeCell)} />
    </span>
  )
}

// Where nothing hovers, the icon is always there.
const inWholeCell =
  "after:absolute after:inset-0 hover:bg-transparent [@media(hover:hover)]:opacity-0 group-hover/copy:opacity-100! focus-visible:opacity-100!"
