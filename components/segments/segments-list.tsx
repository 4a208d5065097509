"use client"

import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query"
import { parseAsInteger, useQueryState } from "nuqs"
import { formatNumber } from "@/lib/platform/format"
import { LoadError } from "@/components/data/load-error"
import { Card } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { Pagination } from "@/components/ui/pagination"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { SkeletonRows } from "@/components/ui/skeleton"
import { Table, Td, Th } from "@/components/ui/table"
import { RowLink, TableRow } from "@/components/ui/table-row"
import { sentenceOf } from "@/components/segments/conditions"
import { segmentsQuery, topicsQuery, type Segment, type SegmentPage } from "@/components/segments/queries"

const refreshMs = 10_000
const buildingRefreshMs = 1_000

type ListProps = { projectId: string; /** Creates the first one. */ curl: string }

/** The segments of a project with their counts, which stay true while the page is open. */
export function SegmentsList({ projectId, curl }: ListProps) {
  const [page, setPage] = useQueryState("page", parseAsInteger.withDefault(1))
  const list = useQuery({
    ...segmentsQuery(projectId, page),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(({ building }) => building) ? buildingRefreshMs : refreshMs),
  })
  return (
    <Card data-list aria-label="Segments" aria-busy={list.isPlaceholderData}>
      <Listed list={list} projectId={projectId} curl={curl} />
      {list.data ? (
        <Pagination
          page={list.data.page.page}
          hasNext={list.data.page.hasNextPage}
          hasPrevious={list.data.page.hasPreviousPage}
          total={list.data.page.total}
          totalPages={list.data.page.totalPages}
          noun="segments"
          pending={list.isPlaceholderData}
          onPage={(next) => void setPage(next, { history: "push" })}
        />
      ) : null}
    </Card>
  )
}

function Listed({ list, projectId, curl }: ListProps & { list: UseQueryResult<SegmentPage> }) {
  const topics = useQuery(topicsQuery(projectId)).data?.data
  if (list.isPending) return <SkeletonRows rows={6} label="Loading segments" />
  if (list.isError && !list.data)
    return <LoadError error={list.error} onRetry={() => void list.refetch()} retrying={list.isFetching} />
  if (!list.data.data.length) return <NoSegments curl={curl} />
  return (
    <Table label="Segments" minWidth="min-w-0">
      <thead>
        <tr>
          <Th className="sm:w-[28%]">Name</Th>
          <Th className="hidden sm:table-cell">Who belongs to it</Th>
          <Th className="w-26 sm:w-32" numeric>
            Contacts
          </Th>
          <Th className="hidden w-32 lg:table-cell" numeric>
            Unsubscribed
          </Th>
          <Th className="hidden w-36 md:table-cell" numeric>
            Created
          </Th>
        </tr>
      </thead>
      <tbody>
        {list.data.data.map((segment) => (
          <SegmentRow
            key={segment.id}
            segment={segment}
            href={`/projects/${projectId}/segments/${segment.id}`}
            topics={topics}
          />
        ))}
      </tbody>
    </Table>
  )
}

type SegmentRowProps = { segment: Segment; href: string; topics?: { id: string; name: string }[] }

function SegmentRow({ segment, href, topics }: SegmentRowProps) {
  const { name, filter, building, contactCount, unsubscribedCount, createdAt } = segment
  const who = filter ? sentenceOf(filter, topics) : "Added manually"
  return (
    <TableRow href={href}>
      <Td>
        <RowLink href={href} prefetch={false} className="block truncate" title={name}>
          {name}
        </RowLink>
        <span className="mt-0.5 block text-muted [overflow-wrap:anywhere] sm:hidden">{who}</span>
      </Td>
      <Td truncate muted className="hidden sm:table-cell" title={who}>
        {who}
      </Td>
      <Td numeric>
        {building ? (
          <Pill tone="warn" inTable tip="Its members are being chosen in the background.">
            {shareOf(building)}
          </Pill>
        ) : (
          formatNumber(contactCount)
        )}
      </Td>
      <Td numeric muted className="hidden lg:table-cell">
        {formatNumber(unsubscribedCount)}
      </Td>
      <Td numeric muted className="hidden whitespace-nowrap md:table-cell">
        <RelativeTime at={createdAt} />
      </Td>
    </TableRow>
  )
}

function shareOf({ done, total }: { done: number; total: number }): string {
  return `Building ${total ? Math.floor((100 * done) / total) : 0}%`
}

function NoSegments({ curl }: { curl: string }) {
  return (
    <EmptyState title="No segments yet" curl={curl}>
      A segment is a group of contacts, added manually or matching a filter. Email to its ID is sent to each member.
    </EmptyState>
  )
}
