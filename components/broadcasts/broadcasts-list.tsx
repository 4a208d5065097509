"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Megaphone } from "lucide-react"
import { broadcastsQuery, type BroadcastItem } from "@/components/broadcasts/queries"
import { broadcastWords, leftOut, sentTo } from "@/components/broadcasts/words"
import { ResourceList } from "@/components/data/resource-list"
import { usePageParam } from "@/components/layout/use-address-param"
import { EmptyState } from "@/components/ui/empty-state"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { RowLink, type Column } from "@/components/ui/table"

const refreshMs = 5_000

/** Broadcasts of a project, newest first, with how far each is. */
export function BroadcastsList({ projectId }: { projectId: string }) {
  const page = usePageParam()
  const list = useQuery({
    ...broadcastsQuery(projectId, page[0]),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
  return (
    <ResourceList
      wide
      label="Broadcasts"
      list={list}
      page={page}
      columns={columns}
      keyOf={({ id }) => id}
      href={({ id }) => `/projects/${projectId}/broadcasts/${id}`}
      empty={
        <EmptyState icon={<Megaphone />} title="No broadcasts yet">
          A broadcast is one message to everyone in segments and topics. To create one, compose an email to a segment or
          topic.
        </EmptyState>
      }
    />
  )
}

const columns: Column<BroadcastItem>[] = [
  {
    head: "Subject",
    cellClassName: "[overflow-wrap:anywhere]",
    cell: (broadcast, href) => (
      <>
        <RowLink href={href} prefetch={false}>
          {broadcast.subject}
        </RowLink>
        <span className="mt-0.5 flex flex-wrap gap-x-2 text-xs text-muted sm:hidden">
          <span>Sent to {sentTo(broadcast)}</span>
          <RelativeTime at={broadcast.createdAt} />
        </span>
      </>
    ),
  },
  {
    head: "Status",
    width: "w-32",
    cell: ({ status }) => {
      const { word, tone, means } = broadcastWords(status)
      return (
        <Pill tone={tone} tip={means} inTable>
          {word}
        </Pill>
      )
    },
  },
  {
    head: "Sent to",
    from: "sm",
    width: "w-44",
    numeric: true,
    muted: true,
    title: (broadcast) => leftOut(broadcast) || undefined,
    cell: sentTo,
  },
  {
    head: "Created",
    from: "sm",
    width: "w-36",
    numeric: true,
    muted: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
]
