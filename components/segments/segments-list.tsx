"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { namedIn } from "@/lib/segments/rules"
import { formatNumber } from "@/lib/platform/format"
import { useMay } from "@/components/access/powers"
import { postCurl } from "@/components/data/curl"
import { FirstAction } from "@/components/data/first-action"
import { ResourceList } from "@/components/data/resource-list"
import { usePageParam } from "@/components/layout/use-address-param"
import { EmptyState } from "@/components/ui/empty-state"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { RowLink, type Column } from "@/components/ui/table"
import { filterSentence } from "@/components/segments/conditions"
import { allSegmentsQuery, segmentsQuery, topicsQuery, type Segment } from "@/components/segments/queries"

const refreshMs = 10_000
const buildingRefreshMs = 1_000

/** The segments of a project with their counts, which stay true while the page is open. */
export function SegmentsList({ projectId, baseUrl }: { projectId: string; baseUrl: string }) {
  const page = usePageParam()
  const list = useQuery({
    ...segmentsQuery(projectId, page[0]),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(({ building }) => building) ? buildingRefreshMs : refreshMs),
  })
  const topics = useQuery(topicsQuery(projectId)).data?.data
  const isNaming = (list.data?.data ?? []).some(({ filter }) => filter && namedIn(filter).length > 0)
  const segments = useQuery({ ...allSegmentsQuery(projectId), enabled: isNaming }).data?.data
  const may = useMay("contacts:write")
  const curl = postCurl(`${baseUrl}/v1/projects/${projectId}/segments`, {
    name: "Readers",
    filter: { all: [{ field: "engagement", event: "opened", operator: "within_days", days: 30 }] },
  })
  return (
    <ResourceList
      wide
      label="Segments"
      list={list}
      page={page}
      columns={columnsOf({ topics, segments })}
      keyOf={({ id }) => id}
      href={({ id }) => `/projects/${projectId}/segments/${id}`}
      empty={
        <EmptyState
          title="No segments yet"
          action={
            <FirstAction permission="contacts:write" href={`/projects/${projectId}/segments/new`}>
              Create segment
            </FirstAction>
          }
          curl={may ? curl : undefined}
        >
          A segment is a group of contacts, added manually or matching a filter. Email to its ID is sent to each member.
        </EmptyState>
      }
    />
  )
}

function columnsOf(names: Parameters<typeof filterSentence>[1]): Column<Segment>[] {
  const who = ({ filter }: Segment) => (filter ? filterSentence(filter, names) : "Added manually")
  return [
    {
      head: "Name",
      width: "sm:w-[28%]",
      cell: (segment, href) => (
        <>
          <RowLink href={href} prefetch={false} className="block truncate" title={segment.name}>
            {segment.name}
          </RowLink>
          <span className="mt-0.5 block text-muted [overflow-wrap:anywhere] sm:hidden">{who(segment)}</span>
        </>
      ),
    },
    { head: "Who belongs to it", from: "sm", truncate: true, muted: true, title: who, cell: who },
    {
      head: "Contacts",
      width: "w-26 sm:w-32",
      numeric: true,
      cell: ({ building, contactCount }) =>
        building ? (
          <Pill tone="warn" inTable tip="Its members are being chosen in the background.">
            {shareOf(building)}
          </Pill>
        ) : (
          formatNumber(contactCount)
        ),
    },
    {
      head: "Unsubscribed",
      from: "lg",
      width: "w-32",
      numeric: true,
      muted: true,
      cell: ({ unsubscribedCount }) => formatNumber(unsubscribedCount),
    },
    {
      head: "Created",
      from: "md",
      width: "w-36",
      numeric: true,
      muted: true,
      cellClassName: "whitespace-nowrap",
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
  ]
}

function shareOf({ done, total }: { done: number; total: number }): string {
  return `Building ${total ? Math.floor((100 * done) / total) : 0}%`
}
