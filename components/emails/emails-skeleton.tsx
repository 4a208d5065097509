import { Skeleton } from "@/components/ui/skeleton"

/** Rows of the list that is loading: bars in the places of address, status, subject and time. */
export function EmailsSkeleton() {
  return (
    <div role="status" aria-label="Loading emails" className="@container">
      <div className="h-8 border-b border-line bg-sunken" />
      {Array.from({ length: 12 }, (_, row) => (
        <div
          key={row}
          className="flex h-16 items-center gap-4 border-b border-line px-4 sm:px-6 lg:px-10 @2xl:h-10 @2xl:pl-12 @2xl:lg:pl-18"
        >
          <Skeleton className={widths[row % widths.length]} />
          <Skeleton className="hidden w-20 @2xl:block" />
          <Skeleton className="hidden w-1/5 @2xl:block" />
          <Skeleton className="ml-auto w-10" />
        </div>
      ))}
    </div>
  )
}

const widths = ["w-1/3", "w-2/5", "w-1/4", "w-2/6", "w-3/8"]
