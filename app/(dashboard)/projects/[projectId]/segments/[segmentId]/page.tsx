import type { Metadata } from "next"
import { Prefetch, titleOf } from "@/components/data/prefetch"
import { propertiesQuery, segmentQuery, topicsQuery } from "@/components/segments/queries"
import { SegmentDetail } from "@/components/segments/segment-detail"

type Props = { params: Promise<{ projectId: string; segmentId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { projectId, segmentId } = await params
  return titleOf(segmentQuery(projectId, segmentId), (segment) => segment.name, "Segment")
}

export default async function SegmentPage({ params }: Props) {
  const { projectId, segmentId } = await params
  return (
    <Prefetch queries={[segmentQuery(projectId, segmentId), propertiesQuery(projectId), topicsQuery(projectId)]}>
      <SegmentDetail projectId={projectId} segmentId={segmentId} />
    </Prefetch>
  )
}
