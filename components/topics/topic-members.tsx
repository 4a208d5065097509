"use client"

import { useInfiniteQuery } from "@tanstack/react-query"
import { fullName } from "@/components/contacts/words"
import { NotLoaded } from "@/components/data/load-error"
import { Button } from "@/components/ui/button"
import { AddressText } from "@/components/ui/address-text"
import { Card, CardFooter, CardHeader } from "@/components/ui/card"
import { Columns } from "@/components/ui/columns"
import { EmptyState } from "@/components/ui/empty-state"
import { RelativeTime } from "@/components/ui/relative-time"
import { DataTable, RowLink, type Column } from "@/components/ui/table"
import { topicMembersQuery, type TopicMember } from "@/components/topics/queries"
import type { Subscription } from "@/lib/consent/rules"

type TopicMembersProps = { projectId: string; topicId: string }

/** Who is in and who is out by a preference of their own. */
export function TopicMembers(topic: TopicMembersProps) {
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
    cell: ({ since }) => (since ? <RelativeTime at={since} /> : null),
  },
]
