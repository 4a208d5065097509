"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { formatNumber } from "@/lib/platform/format"
import { useMay } from "@/components/access/powers"
import { postCurl } from "@/components/data/curl"
import { FirstAction } from "@/components/data/first-action"
import { ResourceList } from "@/components/data/resource-list"
import { usePageParam } from "@/components/layout/use-address-param"
import { EmptyState } from "@/components/ui/empty-state"
import { RowLink, type Column } from "@/components/ui/table"
import { topicListQuery, type Topic } from "@/components/topics/queries"
import { defaultWords, VisibilityPill } from "@/components/topics/topic-words"
import { AddDialog } from "@/components/data/add-dialog"
import { lazy } from "react"

const loadForm = () => import("@/components/topics/add-topic-form")
const AddTopicForm = lazy(loadForm)

export function TopicsList({ projectId, baseUrl }: { projectId: string; baseUrl: string }) {
  const page = usePageParam()
  const list = useQuery({ ...topicListQuery(projectId, page[0]), placeholderData: keepPreviousData })
  const may = useMay("contacts:write")
  const curl = postCurl(`${baseUrl}/v1/projects/${projectId}/topics`, {
    name: "Product news",
    defaultSubscription: "opt_out",
    visibility: "public",
  })
  return (
    <ResourceList
      label="Topics"
      list={list}
      page={page}
      columns={columns}
      keyOf={({ id }) => id}
      href={({ id }) => `/projects/${projectId}/topics/${id}`}
      empty={
        <EmptyState
          title="No topics yet"
          action={
            <FirstAction permission="contacts:write" opens="create-topic">
              Create topic
            </FirstAction>
          }
          curl={may ? curl : undefined}
        >
          A topic is a kind of email, such as News or Offers. People who unsubscribe from it still get the others.
        </EmptyState>
      }
    />
  )
}

const columns: Column<Topic>[] = [
  {
    head: "Topic",
    cell: ({ name, description }, href) => (
      <>
        <RowLink href={href} className="block truncate">
          {name}
        </RowLink>
        {description ? <span className="mt-0.5 block [overflow-wrap:anywhere] text-muted">{description}</span> : null}
      </>
    ),
  },
  {
    head: "Visibility",
    from: "sm",
    width: "w-28",
    cell: ({ visibility }) => <VisibilityPill visibility={visibility} inTable />,
  },
  {
    head: "Default subscription",
    from: "lg",
    width: "w-44",
    muted: true,
    cell: ({ defaultSubscription }) => defaultWords(defaultSubscription).word,
  },
  {
    head: "Effective audience",
    width: "w-28 sm:w-40",
    numeric: true,
    cell: ({ effectiveCount, optInCount }) => formatNumber(effectiveCount ?? optInCount),
  },
  {
    head: "Opted in",
    from: "md",
    width: "w-28",
    numeric: true,
    muted: true,
    cell: ({ optInCount }) => formatNumber(optInCount),
  },
  {
    head: "Opted out",
    from: "md",
    width: "w-28",
    numeric: true,
    muted: true,
    cell: ({ optOutCount }) => formatNumber(optOutCount),
  },
]

export function AddTopic({ projectId }: { projectId: string }) {
  return (
    <AddDialog
      action="Create topic"
      intent="create-topic"
      description="A kind of email that people can subscribe to separately."
      load={loadForm}
      height="h-80"
    >
      {() => <AddTopicForm projectId={projectId} />}
    </AddDialog>
  )
}
