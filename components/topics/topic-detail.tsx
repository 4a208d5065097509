"use client"

import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useMay } from "@/components/access/powers"
import { fullName } from "@/components/contacts/words"
import { DeleteCard } from "@/components/data/delete-card"
import { Form, FormRefusal, filled, trimmed } from "@/components/data/form"
import { LoadError, NotLoaded } from "@/components/data/load-error"
import { PageNotLoaded } from "@/components/data/page-not-loaded"
import { usePageForm } from "@/components/late-parts/use-page-form"
import { FigureStat, deliveredFigure, type Figure, figure, reachedFigure } from "@/components/metrics/figures"
import { WriteTo } from "@/components/segments/write-to"
import {
  type Topic,
  type TopicMember,
  topicMembersQuery,
  type TopicPerformance,
  topicPerformanceQuery,
  topicQuery,
  type TopicWindow,
  useDeleteTopic,
  useUpdateTopic,
} from "@/components/topics/queries"
import { defaultWords, VisibilityPill } from "@/components/topics/topic-words"
import { Absent, AddressText } from "@/components/ui/text"
import { Button } from "@/components/ui/button"
import { Card, CardBody, CardFooter, CardHeader, Columns, SaveRow } from "@/components/ui/card"
import { CopyText } from "@/components/ui/copy-button"
import { EmptyState } from "@/components/ui/empty-state"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { useStay } from "@/components/ui/leaving"
import { PageHeader } from "@/components/ui/page-header"
import { RelativeTime } from "@/components/ui/relative-time"
import { Select } from "@/components/ui/select"
import { Skeleton } from "@/components/ui/loading"
import { Stat, Stats } from "@/components/ui/stat"
import { Switch } from "@/components/ui/switch"
import { type Column, DataTable, RowLink } from "@/components/ui/table"
import { toast } from "@/components/ui/toast"
import type { Subscription } from "@/lib/consent/rules"
import { formatNumber } from "@/lib/platform/format"

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
  const preferences = topic.optInCount + topic.optOutCount
  return (
    <DeleteCard
      noun="topic"
      name={topic.name}
      description="Every contact's choice for it is deleted."
      remove={() => remove.mutateAsync({ params: { projectId, topicId: topic.id } })}
      list={`/projects/${projectId}/topics`}
    >
      {preferences === 1 ? "1 preference is" : `${formatNumber(preferences)} preferences are`} deleted with it. An
      unsubscribe link in an email of this topic then unsubscribes from all emails. Scheduled emails and broadcasts of
      it are not sent. A segment whose filter names it matches nobody from then on until it is changed. This cannot be
      undone.
    </DeleteCard>
  )
}

/** Name, description and whether recipients see it. */
function TopicForm({ projectId, topic }: { projectId: string; topic: Topic }) {
  const update = useUpdateTopic()
  const { name, description = "", visibility } = topic
  const [shown, setShown] = useState(visibility === "public")
  const form = usePageForm({
    schema: () => import("@/lib/topics/schema").then(({ TopicChange }) => TopicChange),
    values: { name, description },
    rules: { name: filled("Enter a name.") },
    async save(values) {
      const body = { ...values, visibility: shown ? ("public" as const) : ("private" as const) }
      await update.mutateAsync({ params: { projectId, topicId: topic.id }, body })
      toast.success("Saved")
    },
  })
  const isSwitched = shown !== (visibility === "public")
  // With a field changed too, the form asks for both.
  useStay(isSwitched && !form.dirty && !form.saving, async () => (await form.submit()) === true)
  const dirty = form.dirty || isSwitched
  function discard() {
    form.discard()
    setShown(visibility === "public")
  }
  return (
    <Card aria-label="About">
      <Form form={form}>
        <CardHeader title="About" />
        <CardBody>
          <FormRefusal form={form} />
          <div className="grid items-start gap-x-4 sm:grid-cols-2">
            <Field label="Name" error={form.faultOf("name")}>
              <Input maxLength={200} autoComplete="off" {...form.input("name", trimmed)} />
            </Field>
            <Field label="Description" error={form.faultOf("description")} className="last:mb-4">
              <Input maxLength={2000} autoComplete="off" {...form.input("description", trimmed)} />
            </Field>
          </div>
          <Switch
            className="mt-2"
            label="Public"
            hint="Recipients see it on their preference page, which every unsubscribe link opens."
            checked={shown}
            onChange={({ target }) => setShown(target.checked)}
          />
        </CardBody>
        {dirty ? <SaveRow saving={form.saving} onReset={discard} /> : null}
      </Form>
    </Card>
  )
}

const windows = [
  { value: "24h", label: "Last 24 hours" },
  { value: "7d", label: "Last 7 days" },
  { value: "30d", label: "Last 30 days" },
  { value: "90d", label: "Last 90 days" },
] satisfies { value: TopicWindow; label: string }[]

/** What became of the topic's mail: counts, each with its share. */
function TopicPerformanceCard({ projectId, topicId }: { projectId: string; topicId: string }) {
  const [window, setWindow] = useState<TopicWindow>("30d")
  const { data, error, refetch, isFetching } = useQuery({
    ...topicPerformanceQuery(projectId, topicId, window),
    placeholderData: keepPreviousData,
  })
  return (
    <Card aria-label="Performance">
      <CardHeader
        title="Performance"
        description="Emails of this topic, without opens and clicks by machines."
        actions={
          <Select
            aria-label="Window"
            className="w-40"
            value={window}
            options={windows}
            onChange={({ target }) => setWindow(windows.find(({ value }) => value === target.value)?.value ?? "30d")}
          />
        }
      />
      {error && !data ? (
        <LoadError error={error} onRetry={() => void refetch()} retrying={isFetching} />
      ) : (
        <Figures data={data} />
      )}
    </Card>
  )
}

const figures: readonly { label: string; of(counts: TopicCounts): Figure }[] = [
  { label: "Sent", of: ({ sent }) => figure(sent, 0, "") },
  { label: "Delivered", of: deliveredFigure },
  { label: "Hard bounces", of: ({ bounced, sent }) => figure(bounced, sent, "sent") },
  { label: "Opened", of: (counts) => reachedFigure(counts.opened, counts) },
  { label: "Clicked", of: (counts) => reachedFigure(counts.clicked, counts) },
  { label: "Unsubscribed", of: (counts) => reachedFigure(counts.unsubscribed, counts) },
]

type TopicCounts = TopicPerformance & { sent: number }

function Figures({ data }: { data?: TopicPerformance }) {
  return (
    <Stats columns={3}>
      {figures.map(({ label, of }) =>
        data ? (
          <FigureStat key={label} label={label} {...of({ ...data, sent: data.totalEmails })} />
        ) : (
          <Stat key={label} label={label} value={<Skeleton className="h-7 w-16" />} hint={"\u00a0"} />
        ),
      )}
    </Stats>
  )
}

type TopicMembersProps = { projectId: string; topicId: string }

/** Who is in and who is out by a preference of their own. */
function TopicMembers(topic: TopicMembersProps) {
  return (
    <Columns>
      <MembersCard {...topic} subscription="opt_in" />
      <MembersCard {...topic} subscription="opt_out" />
    </Columns>
  )
}

const words = {
  opt_in: {
    title: "Opted in",
    description: "Chose this topic, or it was switched on for them.",
    none: "No contact has opted in yet",
    how: "Contacts choose topics on the preference page. You can also choose for them on their page or through the API.",
  },
  opt_out: {
    title: "Opted out",
    description: "Left this topic, or it was switched off for them. They get no email of it.",
    none: "No contact has opted out",
    how: "Contacts leave a topic on the preference page, or by the unsubscribe link of its emails.",
  },
}

/** Newest contact first; more come on demand, a page at a time. */
function MembersCard({ projectId, topicId, subscription }: TopicMembersProps & { subscription: Subscription }) {
  const { title, description, none, how } = words[subscription]
  const members = useInfiniteQuery(topicMembersQuery(projectId, topicId, subscription))
  const rows = members.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <Card aria-label={title}>
      <CardHeader title={title} description={description} />
      {!members.data ? (
        <NotLoaded read={members} label="contacts" rows={4} />
      ) : rows.length > 0 ? (
        <DataTable
          label={title}
          columns={columns}
          rows={rows}
          keyOf={({ contactId }) => contactId}
          href={({ contactId }) => `/projects/${projectId}/contacts/${contactId}`}
        />
      ) : (
        <EmptyState title={none} className="py-8">
          {how}
        </EmptyState>
      )}
      {members.hasNextPage ? (
        <CardFooter>
          <Button loading={members.isFetchingNextPage} onClick={() => void members.fetchNextPage()}>
            Show more
          </Button>
        </CardFooter>
      ) : null}
    </Card>
  )
}

const columns: Column<TopicMember>[] = [
  {
    head: "Contact",
    cell: (member, href) => (
      <span className="flex min-w-0 gap-x-3 max-sm:flex-col">
        <RowLink href={href} prefetch={false} className="max-w-full [overflow-wrap:anywhere] sm:shrink-0">
          <AddressText address={member.email} />
        </RowLink>
        <span className="truncate text-muted">{fullName(member)}</span>
        {member.since ? (
          <span className="text-muted sm:hidden">
            <RelativeTime at={member.since} />
          </span>
        ) : null}
      </span>
    ),
  },
  {
    head: "Since",
    from: "sm",
    width: "w-34",
    muted: true,
    truncate: true,
    cell: ({ since }) => (since ? <RelativeTime at={since} /> : <Absent />),
  },
]
