import { Card } from "@/components/ui/card"
import { Columns } from "@/components/ui/columns"
import { Skeleton, SkeletonRows } from "@/components/ui/skeleton"

/** The detail of an email while it loads: as high as the real one. */
export function EmailSkeleton() {
  return (
    <>
      <Skeleton className="mb-3 h-5 w-48" />
      <Skeleton className="mb-2 h-7 w-80 max-w-full" />
      <Skeleton className="mb-6 h-5 w-120 max-w-full" />
      <Columns layout="start">
        <Card>
          <SkeletonRows rows={6} label="Loading the email" />
        </Card>
        <Card>
          <SkeletonRows rows={12} label="Loading its content" />
        </Card>
      </Columns>
    </>
  )
}
