"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import type { EmailStatus } from "@/lib/emails/message-rules"
import { toChoice, type EmailFilters } from "@/components/emails/filters"
import { countsQuery } from "@/components/emails/queries"
import { statuses } from "@/components/emails/status"
import type { Tone } from "@/components/ui/pill"
import { cn } from "@/components/ui/cn"

const refreshMs = 10_000

/** How many emails of each status the filters leave, for the chips and for what is done to all of them. */
export function useCounts(projectId: string, filters: EmailFilters) {
  return useQuery({
    ...countsQuery(projectId, toChoice(filters)),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  }).data
}

type StatusChipsProps = {
  counts: ReturnType<typeof useCounts>
  /** Of all statuses, where it is known exactly though the counts are not. */
  total?: number
  chosen: EmailStatus | null
  onChoose: (status: EmailStatus | null) => void
}

/** The life of an email from left to right, each status with its count; pressed again, it is no filter any more. */
export function StatusChips({ counts, total, chosen, onChoose }: StatusChipsProps) {
  const all = counts?.statuses ?? []
  const shown = chosen && !all.some(({ status }) => status === chosen) ? [...all, { status: chosen, count: 0 }] : all
  const words = (count: number) => `${count.toLocaleString("en")}${counts?.complete ? "" : "+"}`
  return (
    <div
      role="group"
      aria-label="Status"
      className="-mx-4 flex gap-2 overflow-x-auto px-4 py-0.5 [scrollbar-width:none] sm:mx-0 sm:flex-wrap sm:px-0"
    >
      <Chip
        pressed={chosen === null}
        onClick={() => onChoose(null)}
        count={total === undefined ? counts && words(counts.total) : total.toLocaleString("en")}
      >
        All
      </Chip>
      {shown.map(({ status, count }) => (
        <Chip
          key={status}
          tone={statuses[status].tone}
          pressed={chosen === status}
          onClick={() => onChoose(chosen === status ? null : status)}
          count={words(count)}
        >
          {statuses[status].word}
        </Chip>
      ))}
    </div>
  )
}

type ChipProps = { tone?: Tone; pressed: boolean; count?: string; onClick: () => void; children: ReactNode }

function Chip({ tone, pressed, count, onClick, children }: ChipProps) {
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
      {tone ? <span aria-hidden="true" className={cn("size-2 rounded-full", dot[tone])} /> : null}
      {children}
      {count === undefined ? null : <span className="font-normal text-muted tabular-nums">{count}</span>}
    </button>
  )
}

const dot = { wait: "bg-wait", warn: "bg-warn", good: "bg-good", bad: "bg-bad" }
