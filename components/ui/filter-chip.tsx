import { useLayoutEffect, useRef, type ReactNode } from "react"
import { cn } from "@/components/ui/cn"
import { showInRow } from "@/components/ui/chosen-in-row"
import { Tooltip } from "@/components/ui/tooltip"

type FilterChipsProps = { label: string; className?: string; children: ReactNode }

/** A row of chips; on a phone it scrolls sideways. */
export function FilterChips({ label, className, children }: FilterChipsProps) {
  return (
    <div
      role="group"
      aria-label={label}
      className={cn("flex gap-2 overflow-x-auto sm:gap-1.5 py-0.5 [scrollbar-width:none] sm:flex-wrap", className)}
    >
      {children}
    </div>
  )
}

type FilterChipProps = {
  /** Fill of the dot, as a class; without it there is none. */
  fill?: string
  pressed: boolean
  count?: string
  /** What the count leaves out, on hover and focus. */
  tip?: string | undefined
  /** Its place in a row whose other chips come later. */
  place?: number
  onClick: () => void
  children: ReactNode
}

/** A filter that is on or off, with how much it leaves. */
export function FilterChip({ fill, pressed, count, tip, place, onClick, children }: FilterChipProps) {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (pressed) showInRow(button.current)
  }, [pressed, place])
  const chip = (
    <button
      ref={button}
      type="button"
      aria-pressed={pressed}
      onClick={onClick}
      className={cn(
        "flex h-7 shrink-0 items-center gap-1.5 rounded-full border px-2.5 text-sm sm:px-2 whitespace-nowrap transition-colors",
        pressed ? "border-line-field bg-wait-soft font-medium" : "border-line bg-panel hover:bg-sunken",
      )}
    >
      {fill ? (
        <svg aria-hidden="true" viewBox="0 0 8 8" className={cn("size-2", fill)}>
          <circle cx="4" cy="4" r="4" />
        </svg>
      ) : null}
      {children}
      {count === undefined ? null : <span className="font-normal text-muted tabular-nums">{count}</span>}
    </button>
  )
  return tip ? (
    <Tooltip text={tip} className="max-w-none shrink-0">
      {chip}
    </Tooltip>
  ) : (
    chip
  )
}

/** What is chosen after this one was pressed. */
export function toggled<T>(chosen: readonly T[], one: T): T[] {
  return chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one]
}
