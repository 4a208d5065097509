import type { Metadata } from "next"
import { May } from "@/components/access/powers"
import { Prefetch } from "@/components/data/prefetch"
import { topicListQuery } from "@/components/topics/queries"
import { PreferencePageCard } from "@/components/topics/preference-page-card"
import { AddTopic, TopicsList } from "@/components/topics/topics-list"
import { PageHeader } from "@/components/ui/page-header"
import { env } from "@/lib/platform/env/env"

export const metadata: Metadata = { title: "Topics" }

type Props = {
  params: Promise<{ projectId: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function TopicsPage({ params, searchParams }: Props) {
  const { projectId } = await params
  const page = Math.max(1, Number.parseInt(String((await searchParams).page), 10) || 1)
  return (
    <>
      <PageHeader
        title="Topics"
        meta={["Kinds of email that people can subscribe to one by one."]}
        actions={
          <May permission="contacts:write">
            <AddTopic projectId={projectId} />
          </May>
        }
      />
      <Prefetch queries={[topicListQuery(projectId, page)]}>
        <TopicsList projectId={projectId} baseUrl={env().baseUrl} />
        <PreferencePageCard projectId={projectId} />
      </Prefetch>
    </>
  )
}
