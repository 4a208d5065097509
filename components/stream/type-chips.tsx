"use client"

import { barFill } from "@/components/stream/rate-bars"
import { eventTypes } from "@/components/stream/stream-event"
import { cn } from "@/components/ui/cn"

type TypeChipsProps = {
  /** Events of each type in the bars. */
  counts: Record<string, number>
  chosen: readonly string[]
  onChoose: (types: string[]) => void
}

/** The legend of the bars, and the filter of bars and rows; several types can be chosen. */
export function TypeChips({ counts, chosen, onChoose }: TypeChipsProps) {
  const toggled = (type: string) => (chosen.includes(type) ? chosen.filter((one) => one !== type) : [...chosen, type])
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return (
    <div
      role="group"
      aria-label="Type"
      className="flex gap-2 overflow-x-auto py-0.5 [scrollbar-width:none] sm:flex-wrap"
    >
      <Chip pressed={chosen.length === 0} count={total} onClick={() => onChoose([])}>
        All
      </Chip>
      {Object.entries(eventTypes).map(([type, { word }]) => (
        <Chip
          key={type}
          fill={barFill[type]}
          pressed={chosen.includes(type)}
          count={counts[type] ?? 0}
          onClick={() => onChoose(toggled(type))}
        >
          {word}
        </Chip>
      ))}
    </div>
  )
}

type ChipProps = { fill?: string; pressed: boolean; count: number; onClick: () => void; children: string }

function Chip({ fill, pressed, count, onClick, children }: ChipProps) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onClick}
      className={cn(
        "flex h-7 shrink-0 items-center gap-1.5 rounded-full border px-2.5 text-sm whitespace-nowrap transition-colors",
        pressed ? "border-line-field bg-wait-soft font-medium" : "border-line bg-panel hover:bg-sunken",
      )}
    >
      {fill ? (
        <svg aria-hidden="true" viewBox="0 0 8 8" className={cn("size-2", fill)}>
          <circle cx="4" cy="4" r="4" />
        </svg>
      ) : null}
      {children}
      <span className="font-normal text-muted tabular-nums">{count.toLocaleString("en")}</span>
    </button>
  )
}
