"use client"

import { useInfiniteQuery } from "@tanstack/react-query"
import { LoadError } from "@/components/emails/load-error"
import { Button } from "@/components/ui/button"
import { Card, CardFooter, CardHeader } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { SkeletonRows } from "@/components/ui/skeleton"
import { Table, Td, Th } from "@/components/ui/table"
import { RowLink, TableRow } from "@/components/ui/table-row"
import { topicMembersQuery } from "@/components/topics/queries"

/** Who has opted in; more come on demand, a page at a time. */
export function TopicMembers({ projectId, topicId }: { projectId: string; topicId: string }) {
  const members = useInfiniteQuery(topicMembersQuery(projectId, topicId))
  const rows = members.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <Card aria-label="Opted in">
      <CardHeader
        title="Opted in"
        description="Contacts who chose this topic, newest first. The effective audience also counts those who get it by default."
      />
      {members.isPending ? (
        <SkeletonRows rows={4} label="Loading contacts" />
      ) : members.isError && !rows.length ? (
        <LoadError error={members.error} onRetry={() => void members.refetch()} retrying={members.isFetching} />
      ) : rows.length === 0 ? (
        <EmptyState title="No contact has opted in yet" className="py-8">
          Contacts choose topics on the preference page. You can also choose for them on their page or through the API.
        </EmptyState>
      ) : (
        <Table label="Opted in" minWidth="min-w-0">
          <thead>
            <tr>
              <Th>Address</Th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ contactId, email }) => (
              <TableRow key={contactId} href={`/projects/${projectId}/contacts/${contactId}`}>
                <Td truncate>
                  <RowLink href={`/projects/${projectId}/contacts/${contactId}`} prefetch={false}>
                    {email}
                  </RowLink>
                </Td>
              </TableRow>
            ))}
          </tbody>
        </Table>
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
