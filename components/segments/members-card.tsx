"use client"

import { useInfiniteQuery } from "@tanstack/react-query"
import { formatNumber } from "@/lib/platform/format"
import { dynamic } from "@/components/late-parts/dynamic"
import { call } from "@/components/data/call"
import { LoadError } from "@/components/data/load-error"
import { Card, CardHeader } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { EndlessFrame } from "@/components/ui/endless"
import { SkeletonRows } from "@/components/ui/skeleton"
import { MemberRow, useMembership } from "@/components/segments/member-row"
import { membersRoute, type MemberPage, type Segment } from "@/components/segments/queries"
import { AddDialog } from "@/components/data/add-dialog"
import { lazy } from "react"
import { UserPlus } from "lucide-react"
import { useMay } from "@/components/access/powers"

const loadSearch = () => import("@/components/segments/member-search")
const MemberSearch = lazy(loadSearch)

const pageSize = 100
const againMs = 2_000

// What only long lists need comes with them.
const MemberRows = dynamic(() => import("@/components/segments/member-rows").then((module) => module.MemberRows), {
  ssr: false,
  loading: () => <SkeletonRows rows={8} label="Loading members" />,
})

/** Members, newest contact first: read page by page as one scrolls, and only the rows in sight exist. */
export function MembersCard({ projectId, segment }: { projectId: string; segment: Segment }) {
  const members = useInfiniteQuery({
    // Refetched once all members of a changed filter are computed.
    queryKey: [membersRoute, { params: { projectId, segmentId: segment.id } }, Boolean(segment.building)],
    queryFn: ({ pageParam, signal }): Promise<MemberPage> =>
      call(
        membersRoute,
        {
          params: { projectId, segmentId: segment.id },
          query: { size: pageSize, ...(pageParam ? { after: pageParam } : {}) },
        },
        signal,
      ),
    initialPageParam: "",
    getNextPageParam: ({ cursor }) => cursor.nextCursor ?? undefined,
    // Scrolling through thousands keeps the pages that were read; a manual change reads them again.
    refetchOnWindowFocus: false,
    // What was read while members were still being chosen may be whole and yet not all of them.
    refetchInterval: ({ state }) => (state.data && differs(state.data.pages, segment) ? againMs : false),
  })
  const rows = members.data?.pages.flatMap(({ data }) => data) ?? []

  return (
    <Card aria-label="Members">
      <CardHeader
        title="Members"
        description={countsOf(segment)}
        actions={<AddMember projectId={projectId} segment={segment} />}
      />
      {members.isPending ? <SkeletonRows rows={8} label="Loading members" /> : null}
      {members.isError && !members.data ? (
        <LoadError error={members.error} onRetry={() => void members.refetch()} retrying={members.isFetching} />
      ) : null}
      {members.data && !rows.length ? (
        <EmptyState title={segment.building ? "Members are being computed" : "No members"}>
          {segment.filter
            ? "No contact matches the filter. Contacts are added as soon as they match, or add one with “Add a contact”."
            : "Add contacts with “Add a contact” above, with an import or through the API."}
        </EmptyState>
      ) : null}
      {rows.length > 0 && rows.length < pageSize ? (
        <EndlessFrame label="Members, newest first">
          <ul>
            {rows.map((member) => (
              <li key={member.contactId}>
                <MemberRow projectId={projectId} segment={segment} member={member} />
              </li>
            ))}
          </ul>
        </EndlessFrame>
      ) : null}
      {rows.length >= pageSize ? (
        <MemberRows
          projectId={projectId}
          segment={segment}
          members={rows}
          rest={{
            more: members.hasNextPage,
            loading: members.isFetchingNextPage,
            failed: members.isFetchNextPageError,
            onMore: () => void members.fetchNextPage(),
          }}
        />
      ) : null}
    </Card>
  )
}

/** Whether a list that was read to its end is not as long as the segment says. */
function differs(pages: readonly MemberPage[], { contactCount }: Segment): boolean {
  if (pages.at(-1)?.cursor.nextCursor) return false
  return pages.reduce((sum, { data }) => sum + data.length, 0) !== contactCount
}

function countsOf({ contactCount, unsubscribedCount }: Segment): string {
  const contacts = `${formatNumber(contactCount)} ${contactCount === 1 ? "contact" : "contacts"}`
  return unsubscribedCount ? `${contacts}, ${formatNumber(unsubscribedCount)} unsubscribed.` : `${contacts}.`
}

/** Adds a contact manually; the notice offers to undo it. */
function AddMember({ projectId, segment }: { projectId: string; segment: Segment }) {
  const may = useMay("contacts:write")
  const { add, pending } = useMembership(projectId, segment)
  if (!may) return null
  return (
    <AddDialog
      action="Add a contact"
      button={{ icon: <UserPlus />, loading: pending }}
      title={`Add a contact to ${segment.name}`}
      description={
        segment.filter ? "A contact that you add stays in, even if it does not match the filter." : undefined
      }
      load={loadSearch}
    >
      {(close) => (
        <MemberSearch
          projectId={projectId}
          segmentId={segment.id}
          onPick={(person) => {
            close()
            add(person)
          }}
        />
      )}
    </AddDialog>
  )
}
