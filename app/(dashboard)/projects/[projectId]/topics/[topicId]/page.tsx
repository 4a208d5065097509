import type { Metadata } from "next"
import { Prefetch, titleOf } from "@/components/data/prefetch"
import { topicMembersQuery, topicPerformanceQuery, topicQuery } from "@/components/topics/queries"
import { TopicDetail } from "@/components/topics/topic-detail"

type Props = { params: Promise<{ projectId: string; topicId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { projectId, topicId } = await params
  return titleOf(topicQuery(projectId, topicId), (topic) => topic.name, "Topic")
}

export default async function TopicPage({ params }: Props) {
  const { projectId, topicId } = await params
  return (
    <Prefetch
      queries={[
        topicQuery(projectId, topicId),
        topicPerformanceQuery(projectId, topicId),
        topicMembersQuery(projectId, topicId, "opt_in"),
        topicMembersQuery(projectId, topicId, "opt_out"),
      ]}
    >
      <TopicDetail projectId={projectId} topicId={topicId} />
    </Prefetch>
  )
}
