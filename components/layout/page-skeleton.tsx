import type { ReactNode } from "react"
import { Card } from "@/components/ui/card"
import { Columns } from "@/components/ui/columns"
import { Skeleton, SkeletonRows } from "@/components/ui/skeleton"
import type { Shape } from "@/components/layout/page-shape"

/** A page on its way, by the shape of what comes. Loaded with what leaves a page, so that no page carries it in its HTML. */
export function PageSkeleton({ shape }: { shape: Shape }) {
  return (
    <div role="status" aria-label="Loading the page">
      <div className="mb-6 flex items-center justify-between">
        <Skeleton className="h-7 w-40" />
        <Skeleton className="h-8 w-28 rounded-md" />
      </div>
      {bodies[shape]}
    </div>
  )
}

const dayHeights = ["h-32 flex-1", "h-40 flex-1", "h-28 flex-1", "h-44 flex-1", "h-36 flex-1", "h-20 flex-1"]

/** As wide as the screen, as lists are; see AppShell. */
const list = (
  <Card data-list>
    <SkeletonRows rows={12} />
  </Card>
)

const object = (
  <>
    <Skeleton className="mb-6 w-96 max-w-full" />
    <Columns layout="start">
      <Card>
        <SkeletonRows rows={7} />
      </Card>
      <Card>
        <SkeletonRows rows={7} />
      </Card>
    </Columns>
  </>
)

const figures = (
  <div className="grid gap-4">
    <Card className="flex h-72 items-end gap-2 p-4">
      {Array.from({ length: 30 }, (_, day) => (
        <Skeleton key={day} className={dayHeights[day % dayHeights.length]} />
      ))}
    </Card>
    <Card>
      <SkeletonRows rows={5} />
    </Card>
  </div>
)

const form = (
  <Card className="grid max-w-180 gap-6 p-5">
    {["w-24", "w-32", "w-20", "w-28"].map((width) => (
      <div key={width} className="grid gap-2">
        <Skeleton className={width} />
        <Skeleton className="h-8 w-full rounded-md" />
      </div>
    ))}
  </Card>
)

const bodies: Record<Shape, ReactNode> = { list, object, figures, form }
