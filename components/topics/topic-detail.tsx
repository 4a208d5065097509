"use client"

import { useQuery } from "@tanstack/react-query"
import { useRouter } from "next/navigation"
import { formatNumber } from "@/lib/platform/format"
import { useMay } from "@/components/access/powers"
import { PageLoadError } from "@/components/data/page-load-error"
import { WriteTo } from "@/components/segments/write-to"
import { Button } from "@/components/ui/button"
import { Card, CardHeader } from "@/components/ui/card"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { CopyText } from "@/components/ui/copy-text"
import { PageHeader } from "@/components/ui/page-header"
import { SkeletonRows } from "@/components/ui/skeleton"
import { Stat, Stats } from "@/components/ui/stat"
import { toast } from "@/components/ui/toast"
import { topicQuery, useDeleteTopic, type Topic } from "@/components/topics/queries"
import { TopicForm } from "@/components/topics/topic-form"
import { TopicMembers } from "@/components/topics/topic-members"
import { TopicPerformanceCard } from "@/components/topics/topic-performance"
import { defaultWords, VisibilityPill } from "@/components/topics/topic-words"

export function TopicDetail({ projectId, topicId }: { projectId: string; topicId: string }) {
  const { data: topic, error, refetch, isFetching } = useQuery(topicQuery(projectId, topicId))
  const mayWrite = useMay("contacts:write")
  const list = { label: "Topics", href: `/projects/${projectId}/topics` }
  if (!topic && error)
    return (
      <PageLoadError of="Topic" lists={[list]} error={error} onRetry={() => void refetch()} retrying={isFetching} />
    )
  if (!topic)
    return (
      <Card>
        <SkeletonRows rows={6} label="Loading the topic" />
      </Card>
    )
  const byDefault = defaultWords(topic.defaultSubscription)
  return (
    <>
      <PageHeader
        crumbs={[list, { label: topic.name }]}
        title={topic.name}
        pill={<VisibilityPill visibility={topic.visibility} />}
        meta={[topic.description, <CopyText key="id" value={topic.id} name="topic id" inline />]}
        actions={
          <WriteTo projectId={projectId} audienceId={topic.id}>
            Write to topic
          </WriteTo>
        }
      />
      <Card aria-label="Figures">
        <Stats columns={4}>
          <Stat
            label="Effective audience"
            value={formatNumber(topic.effectiveCount ?? topic.optInCount)}
            hint="Subscribed by choice or by default"
          />
          <Stat label="Opted in" value={formatNumber(topic.optInCount)} hint="By choice" />
          <Stat label="Opted out" value={formatNumber(topic.optOutCount)} hint="By choice" />
          <Stat label="Default subscription" value={byDefault.word} hint={byDefault.hint} />
        </Stats>
      </Card>
      <TopicPerformanceCard projectId={projectId} topicId={topicId} />
      {mayWrite ? <TopicForm projectId={projectId} topic={topic} /> : null}
      <TopicMembers projectId={projectId} topicId={topicId} />
      {mayWrite ? <DeleteTopic projectId={projectId} topic={topic} /> : null}
    </>
  )
}

function DeleteTopic({ projectId, topic }: { projectId: string; topic: Topic }) {
  const router = useRouter()
  const remove = useDeleteTopic()
  async function confirmed() {
    await remove.mutateAsync({ params: { projectId, topicId: topic.id } })
    router.push(`/projects/${projectId}/topics`)
    toast.success(`${topic.name} was deleted`)
  }
  return (
    <Card aria-label="Delete topic">
      <CardHeader
        title="Delete topic"
        description="Every contact's choice for it is deleted."
        actions={
          <ConfirmDialog
            trigger={<Button variant="outlined">Delete topic</Button>}
            title={`Delete ${topic.name}?`}
            action="Delete topic"
            typeName={topic.name}
            onConfirm={confirmed}
          >
            {formatNumber(topic.optInCount + topic.optOutCount)} preferences are deleted with it. An unsubscribe link in
            an email of this topic then unsubscribes from all emails. This cannot be undone.
          </ConfirmDialog>
        }
      />
    </Card>
  )
}
