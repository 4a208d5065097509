"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { formatNumber } from "@/lib/platform/format"
import { LoadError } from "@/components/data/load-error"
import { usePageParam } from "@/components/layout/use-address-param"
import { Card } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { Pagination } from "@/components/ui/pagination"
import { SkeletonRows } from "@/components/ui/skeleton"
import { Table, Td, Th } from "@/components/ui/table"
import { RowLink, TableRow } from "@/components/ui/table-row"
import { topicListQuery, type Topic } from "@/components/topics/queries"
import { defaultWords, VisibilityPill } from "@/components/topics/topic-words"

export function TopicsList({ projectId, curl }: { projectId: string; curl: string }) {
  const [page, setPage] = usePageParam()
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery({
    ...topicListQuery(projectId, page),
    placeholderData: keepPreviousData,
  })
  if (!data) {
    return (
      <Card aria-label="Topics">
        {error ? (
          <LoadError error={error} onRetry={() => void refetch()} retrying={isFetching} />
        ) : (
          <SkeletonRows label="Loading topics" />
        )}
      </Card>
    )
  }
  return (
    <Card aria-label="Topics" aria-busy={isPlaceholderData}>
      {data.data.length > 0 ? (
        <TopicsTable projectId={projectId} topics={data.data} />
      ) : (
        <EmptyState title="No topics yet" curl={curl}>
          A topic is a kind of email, such as News or Offers. People who unsubscribe from it still get the others.
        </EmptyState>
      )}
      <Pagination
        page={page}
        hasNext={data.page.hasNextPage}
        hasPrevious={data.page.hasPreviousPage}
        total={data.page.total}
        totalPages={data.page.totalPages}
        noun="topics"
        pending={isPlaceholderData}
        onPage={setPage}
      />
    </Card>
  )
}

function TopicsTable({ projectId, topics }: { projectId: string; topics: Topic[] }) {
  return (
    <Table label="Topics" minWidth="min-w-0">
      <thead>
        <tr>
          <Th>Topic</Th>
          <Th className="hidden w-28 sm:table-cell">Visibility</Th>
          <Th className="hidden w-44 lg:table-cell">Default subscription</Th>
          <Th className="w-28 sm:w-40" numeric>
            Effective audience
          </Th>
          <Th className="hidden w-28 md:table-cell" numeric>
            Opted in
          </Th>
          <Th className="hidden w-28 md:table-cell" numeric>
            Opted out
          </Th>
        </tr>
      </thead>
      <tbody>
        {topics.map((topic) => {
          const href = `/projects/${projectId}/topics/${topic.id}`
          return (
            <TableRow key={topic.id} href={href}>
              <Td>
                <RowLink href={href} className="block truncate">
                  {topic.name}
                </RowLink>
                {topic.description ? (
                  <span className="mt-0.5 block [overflow-wrap:anywhere] text-muted">{topic.description}</span>
                ) : null}
              </Td>
              <Td className="hidden sm:table-cell">
                <VisibilityPill visibility={topic.visibility} inTable />
              </Td>
              <Td muted className="hidden lg:table-cell">
                {defaultWords(topic.defaultSubscription).word}
              </Td>
              <Td numeric className="tabular-nums">
                {formatNumber(topic.effectiveCount ?? topic.optInCount)}
              </Td>
              <Td numeric muted className="hidden tabular-nums md:table-cell">
                {formatNumber(topic.optInCount)}
              </Td>
              <Td numeric muted className="hidden tabular-nums md:table-cell">
                {formatNumber(topic.optOutCount)}
              </Td>
            </TableRow>
          )
        })}
      </tbody>
    </Table>
  )
}
