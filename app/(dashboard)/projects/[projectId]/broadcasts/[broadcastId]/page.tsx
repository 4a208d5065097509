import type { Metadata } from "next"
import { Prefetch, titleOf } from "@/components/data/prefetch"
import { BroadcastDetail } from "@/components/broadcasts/broadcast-detail"
import { broadcastQuery } from "@/components/broadcasts/queries"

type Props = { params: Promise<{ projectId: string; broadcastId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { projectId, broadcastId } = await params
  return titleOf(broadcastQuery(projectId, broadcastId), ({ subject }) => subject, "Broadcast")
}

export default async function BroadcastPage({ params }: Props) {
  const { projectId, broadcastId } = await params
  return (
    <Prefetch queries={[broadcastQuery(projectId, broadcastId)]}>
      <BroadcastDetail projectId={projectId} broadcastId={broadcastId} />
    </Prefetch>
  )
}
