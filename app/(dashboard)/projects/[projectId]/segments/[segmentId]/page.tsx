import type { Metadata } from "next"
import { Suspense } from "react"
import { Prefetch } from "@/components/api/prefetch"
import { propertiesQuery, segmentQuery, topicsQuery } from "@/components/segments/queries"
import { SegmentDetail } from "@/components/segments/segment-detail"
import { Card } from "@/components/ui/card"
import { SkeletonRows } from "@/components/ui/skeleton"

export const metadata: Metadata = { title: "Segment" }

export default async function SegmentPage({ params }: { params: Promise<{ projectId: string; segmentId: string }> }) {
  const { projectId, segmentId } = await params
  return (
    <Suspense
      fallback={
        <Card>
          <SkeletonRows rows={8} label="Loading the segment" />
        </Card>
      }
    >
      <Prefetch queries={[segmentQuery(projectId, segmentId), propertiesQuery(projectId), topicsQuery(projectId)]}>
        <SegmentDetail projectId={projectId} segmentId={segmentId} />
      </Prefetch>
    </Suspense>
  )
}
