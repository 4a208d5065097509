import { cn } from "@/components/ui/cn"

/** A grey placeholder; give it the size of the content that replaces it. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={cn("block h-4 animate-pulse rounded-sm bg-wait-soft", className)} />
}

/** Rows of a table or list that is loading: as high as the real ones, so nothing jumps. */
export function SkeletonRows({ rows = 5, label = "Loading" }: { rows?: number; label?: string }) {
  return (
    <div role="status" aria-label={label} className="divide-y divide-line">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="flex h-[41px] items-center gap-8 px-4">
          <Skeleton className={firstWidth[row % firstWidth.length]} />
          <Skeleton className="hidden w-1/4 sm:block" />
          <Skeleton className="ml-auto w-16" />
        </div>
      ))}
    </div>
  )
}

const firstWidth = ["w-1/3", "w-2/5", "w-1/4", "w-2/6", "w-3/8"]
