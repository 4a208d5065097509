"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { formatNumber } from "@/lib/platform/format"
import type { EmailStatus } from "@/lib/emails/message-rules"
import { toChoice, type EmailFilters } from "@/components/emails/filters"
import { countsQuery } from "@/components/emails/queries"
import { statusWords } from "@/components/emails/status"
import { FilterChip, FilterChips, toggled } from "@/components/ui/filter-chip"
import { useTimeZone } from "@/components/ui/local-time"
import type { Tone } from "@/components/ui/pill"

const refreshMs = 10_000

/** How many emails of each status the filters leave, for the chips and for what is done to all of them. */
export function useCounts(projectId: string, filters: EmailFilters) {
  const timeZone = useTimeZone()
  return useQuery({
    ...countsQuery(projectId, toChoice(filters, timeZone)),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  }).data
}

type StatusChipsProps = {
  counts: ReturnType<typeof useCounts>
  /** Of all statuses, where it is known exactly though the counts are not. */
  total?: number
  chosen: readonly EmailStatus[]
  onChoose: (statuses: EmailStatus[]) => void
}

/** The life of an email from left to right, each status with its count; several can be chosen. */
export function StatusChips({ counts, total, chosen, onChoose }: StatusChipsProps) {
  const all = counts?.statuses ?? []
  const gone = chosen.filter((one) => !all.some(({ status }) => status === one))
  const shown = [...all, ...gone.map((status) => ({ status, count: 0 }))]
  const words = (count: number) => `${formatNumber(count)}${counts?.complete ? "" : "+"}`
  const tip = counts && !counts.complete ? countedWords(counts.total) : undefined
  return (
    <FilterChips label="Status" className="-mx-4 px-4 sm:mx-0 sm:px-0">
      <FilterChip
        pressed={chosen.length === 0}
        onClick={() => onChoose([])}
        count={total === undefined ? counts && words(counts.total) : formatNumber(total)}
        tip={total === undefined ? tip : undefined}
      >
        All
      </FilterChip>
      {shown.map(({ status, count }, place) => (
        <FilterChip
          key={status}
          fill={fill[statusWords(status).tone]}
          pressed={chosen.includes(status)}
          place={place}
          onClick={() => onChoose(toggled(chosen, status))}
          count={words(count)}
          tip={tip}
        >
          {statusWords(status).word}
        </FilterChip>
      ))}
    </FilterChips>
  )
}

function countedWords(counted: number): string {
  return `Counted among the newest ${formatNumber(counted)} of these emails; there may be more.`
}

const fill: Record<Tone, string> = { wait: "fill-wait", warn: "fill-warn", good: "fill-good", bad: "fill-bad" }
