"use client"

import { formatNumber } from "@/lib/platform/format"
import { barFill } from "@/components/stream/bar-fill"
import { eventTypes } from "@/components/stream/stream-event"
import { FilterChip, FilterChips, toggled } from "@/components/ui/filter-chip"

type TypeChipsProps = {
  /** Events of each type in the bars. */
  counts: Record<string, number>
  chosen: readonly string[]
  onChoose: (types: string[]) => void
}

/** The legend of the bars, and the filter of bars and rows; several types can be chosen. */
export function TypeChips({ counts, chosen, onChoose }: TypeChipsProps) {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return (
    <FilterChips label="Type" className="sm:flex-nowrap">
      <FilterChip pressed={chosen.length === 0} count={formatNumber(total)} onClick={() => onChoose([])}>
        All
      </FilterChip>
      {Object.entries(eventTypes).map(([type, { word }]) => (
        <FilterChip
          key={type}
          fill={barFill[type]}
          pressed={chosen.includes(type)}
          count={formatNumber(counts[type] ?? 0)}
          onClick={() => onChoose(toggled(chosen, type))}
        >
          {word}
        </FilterChip>
      ))}
    </FilterChips>
  )
}
