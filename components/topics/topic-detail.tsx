"use client"

import { useQuery } from "@tanstack/react-query"
import { formatNumber } from "@/lib/platform/format"
import { useMay } from "@/components/access/powers"
import { PageNotLoaded } from "@/components/data/load-error"
import { WriteTo } from "@/components/segments/write-to"
import { Card } from "@/components/ui/card"
import { CopyText } from "@/components/ui/copy-text"
import { PageHeader } from "@/components/ui/page-header"
import { Stat, Stats } from "@/components/ui/stat"
import { topicQuery, useDeleteTopic, type Topic } from "@/components/topics/queries"
import { TopicForm } from "@/components/topics/topic-form"
import { TopicMembers } from "@/components/topics/topic-members"
import { TopicPerformanceCard } from "@/components/topics/topic-performance"
import { defaultWords, VisibilityPill } from "@/components/topics/topic-words"
import { DeleteCard } from "@/components/data/delete-card"

export function TopicDetail({ projectId, topicId }: { projectId: string; topicId: string }) {
  const read = useQuery(topicQuery(projectId, topicId))
  const mayWrite = useMay("contacts:write")
  const list = { label: "Topics", href: `/projects/${projectId}/topics` }
  if (!read.data) return <PageNotLoaded of="Topic" lists={[list]} read={read} />
  const topic = read.data
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
  const remove = useDeleteTopic()
  return (
    <DeleteCard
      noun="topic"
      name={topic.name}
      description="Every contact's choice for it is deleted."
      remove={() => remove.mutateAsync({ params: { projectId, topicId: topic.id } })}
      list={`/projects/${projectId}/topics`}
    >
      {formatNumber(topic.optInCount + topic.optOutCount)} preferences are deleted with it. An unsubscribe link in an
      email of this topic then unsubscribes from all emails. This cannot be undone.
    </DeleteCard>
  )
}
