"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Megaphone } from "lucide-react"
import { broadcastsQuery } from "@/components/broadcasts/queries"
import { broadcastWords, leftOut, sentTo } from "@/components/broadcasts/words"
import { LoadError } from "@/components/data/load-error"
import { usePageParam } from "@/components/layout/use-address-param"
import { Card } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { Pagination } from "@/components/ui/pagination"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { SkeletonRows } from "@/components/ui/skeleton"
import { Table, Td, Th } from "@/components/ui/table"
import { RowLink, TableRow } from "@/components/ui/table-row"

const refreshMs = 5_000

/** Broadcasts of a project, newest first, with how far each is. */
export function BroadcastsList({ projectId }: { projectId: string }) {
  const [page, setPage] = usePageParam()
  const read = useQuery({
    ...broadcastsQuery(projectId, page),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
  if (!read.data)
    return (
      <Card data-list>
        {read.isError ? (
          <LoadError error={read.error} onRetry={() => void read.refetch()} retrying={read.isFetching} />
        ) : (
          <SkeletonRows rows={6} label="Loading broadcasts" />
        )}
      </Card>
    )
  const { data, page: about } = read.data
  return (
    <Card data-list aria-label="Broadcasts" aria-busy={read.isPlaceholderData}>
      {data.length > 0 ? (
        <Table label="Broadcasts" minWidth="min-w-0">
          <thead>
            <tr>
              <Th>Subject</Th>
              <Th className="w-32">Status</Th>
              <Th className="hidden w-44 sm:table-cell" numeric>
                Sent to
              </Th>
              <Th className="hidden w-36 sm:table-cell" numeric>
                Created
              </Th>
            </tr>
          </thead>
          <tbody>
            {data.map((broadcast) => {
              const href = `/projects/${projectId}/broadcasts/${broadcast.id}`
              const { word, tone, means } = broadcastWords(broadcast.status)
              return (
                <TableRow key={broadcast.id} href={href}>
                  <Td className="[overflow-wrap:anywhere]">
                    <RowLink href={href} prefetch={false}>
                      {broadcast.subject}
                    </RowLink>
                    <span className="mt-0.5 flex flex-wrap gap-x-2 text-xs text-muted sm:hidden">
                      <span>Sent to {sentTo(broadcast)}</span>
                      <RelativeTime at={broadcast.createdAt} />
                    </span>
                  </Td>
                  <Td>
                    <Pill tone={tone} tip={means} inTable>
                      {word}
                    </Pill>
                  </Td>
                  <Td numeric muted className="hidden sm:table-cell" title={leftOut(broadcast) || undefined}>
                    {sentTo(broadcast)}
                  </Td>
                  <Td numeric muted className="hidden sm:table-cell">
                    <RelativeTime at={broadcast.createdAt} />
                  </Td>
                </TableRow>
              )
            })}
          </tbody>
        </Table>
      ) : (
        <EmptyState icon={<Megaphone />} title="No broadcasts yet">
          A broadcast is one message to everyone in segments and topics. To create one, compose an email to a segment or
          topic.
        </EmptyState>
      )}
      <Pagination
        page={about.page}
        hasNext={about.hasNextPage}
        hasPrevious={about.hasPreviousPage}
        total={about.total}
        totalPages={about.totalPages}
        noun="broadcasts"
        pending={read.isPlaceholderData}
        onPage={setPage}
      />
    </Card>
  )
}
