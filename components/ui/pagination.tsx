"use client"

import { ChevronLeft, ChevronRight } from "lucide-react"
import { formatNumber } from "@/lib/platform/format"
import { Button } from "@/components/ui/button"
import { cn } from "@/components/ui/cn"

type PaginationProps = {
  /** Counted from 1. */
  page: number
  hasNext: boolean
  hasPrevious: boolean
  onPage: (page: number) => void
  total?: number
  /** Of a total that stops at a bound, fewer than there are. */
  totalPages?: number
  /** Word for what is counted: "emails". */
  noun?: string
  /** While the next page loads. */
  pending?: boolean
  className?: string
}

export function Pagination({
  page,
  hasNext,
  hasPrevious,
  onPage,
  total,
  totalPages,
  noun = "items",
  pending,
  className,
}: PaginationProps) {
  if (page === 1 && !hasNext && !hasPrevious) return null
  return (
    <nav
      aria-label="Pages"
      aria-busy={pending}
      className={cn(
        "flex flex-wrap items-center justify-between gap-2 border-t border-line px-4 py-3 text-muted",
        className,
      )}
    >
      <span className="tabular-nums" aria-live="polite">
        Page {formatNumber(page)}
        {totalPages && page <= totalPages ? ` of ${formatNumber(totalPages)}` : null}
        {total === undefined ? null : `, ${formatNumber(total)} ${noun}`}
      </span>
      <span className="flex gap-2">
        <Button disabled={!hasPrevious} icon={<ChevronLeft />} onClick={() => onPage(page - 1)}>
          Previous
        </Button>
        <Button disabled={!hasNext} onClick={() => onPage(page + 1)}>
          Next
          <ChevronRight />
        </Button>
      </span>
    </nav>
  )
}
