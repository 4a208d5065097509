import type { Metadata } from "next"
import { Prefetch } from "@/components/api/prefetch"
import { topicPerformanceQuery, topicQuery } from "@/components/topics/queries"
import { TopicDetail } from "@/components/topics/topic-detail"

export const metadata: Metadata = { title: "Topic" }

type Props = { params: Promise<{ projectId: string; topicId: string }> }

export default async function TopicPage({ params }: Props) {
  const { projectId, topicId } = await params
  return (
    <Prefetch queries={[topicQuery(projectId, topicId), topicPerformanceQuery(projectId, topicId)]}>
      <TopicDetail projectId={projectId} topicId={topicId} />
    </Prefetch>
  )
}
