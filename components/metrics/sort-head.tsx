import { ArrowDown, ArrowUp } from "lucide-react"
import { cn } from "@/components/ui/cn"

export type Sort = { by: string; descending: boolean }

/** The head of a column that sorts its table. */
export function SortHead({
  label,
  sort,
  onSort,
  numeric,
}: {
  label: string
  sort: Sort
  onSort: (label: string) => void
  numeric?: boolean
}) {
  const active = sort.by === label
  const Arrow = sort.descending ? ArrowDown : ArrowUp
  return (
    <th
      scope="col"
      aria-sort={active ? (sort.descending ? "descending" : "ascending") : undefined}
      className={cn(
        "border-b border-line px-4 py-1 text-xs font-medium text-muted",
        numeric ? "text-right" : "text-left",
      )}
    >
      <button
        type="button"
        onClick={() => onSort(label)}
        className={cn(
          "-mx-1 inline-flex h-6 items-center gap-1 rounded-sm px-1 hover:text-text",
          active && "text-text",
        )}
      >
        {label}
        {active ? <Arrow aria-hidden="true" className="size-3" /> : null}
      </button>
    </th>
  )
}
