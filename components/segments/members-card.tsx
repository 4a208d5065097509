"use client"

import { useInfiniteQuery } from "@tanstack/react-query"
import { useVirtualizer } from "@tanstack/react-virtual"
import Link from "next/link"
import { useEffect, useRef } from "react"
import { call } from "@/components/api/call"
import { LoadError } from "@/components/emails/load-error"
import { Card, CardHeader } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { SkeletonRows } from "@/components/ui/skeleton"
import { membersRoute, type MemberPage, type Segment } from "./queries"
import { RemoveMember } from "./remove-member"

const pageSize = 100
const rowPixels = 45

/** Members, newest contact first: read page by page as one scrolls, and only the rows in sight exist. */
export function MembersCard({ projectId, segment }: { projectId: string; segment: Segment }) {
  const members = useInfiniteQuery({
    // Read anew once the members of another filter have all been chosen.
    queryKey: [membersRoute, { params: { projectId, segmentId: segment.id } }, Boolean(segment.building)],
    queryFn: ({ pageParam, signal }): Promise<MemberPage> =>
      call(membersRoute, {
        params: { projectId, segmentId: segment.id },
        query: { size: pageSize, ...(pageParam ? { after: pageParam } : {}) },
      }, signal),
    initialPageParam: "",
    getNextPageParam: ({ cursor }) => cursor.nextCursor ?? undefined,
    // Who scrolls through thousands keeps what was read; a change by hand reads anew.
    refetchOnWindowFocus: false,
  })
  const rows = members.data?.pages.flatMap(({ data }) => data) ?? []

  return (
    <Card aria-label="Members">
      <CardHeader title="Members" description={countsOf(segment)} />
      {members.isPending ? <SkeletonRows rows={8} label="Loading members" /> : null}
      {members.isError && !members.data ? (
        <LoadError error={members.error} onRetry={() => void members.refetch()} retrying={members.isFetching} />
      ) : null}
      {members.data && !rows.length ? (
        <EmptyState title={segment.building ? "Members are being chosen" : "Nobody is in this segment"}>
          {segment.filter ? "The filter holds for no contact. Members come in by themselves once it does." : "Put contacts in on their page, with an import or by the API."}
        </EmptyState>
      ) : null}
      {rows.length ? (
        <MemberRows
          projectId={projectId}
          segment={segment}
          rows={rows}
          more={members.hasNextPage}
          loading={members.isFetchingNextPage}
          onEnd={() => void members.fetchNextPage()}
        />
      ) : null}
    </Card>
  )
}

function countsOf({ contactCount, unsubscribedCount }: Segment): string {
  const contacts = `${contactCount.toLocaleString("en")} ${contactCount === 1 ? "contact" : "contacts"}`
  return unsubscribedCount ? `${contacts}, ${unsubscribedCount.toLocaleString("en")} unsubscribed.` : `${contacts}.`
}

type Member = MemberPage["data"][number]
type MemberRowsProps = { projectId: string; segment: Segment; rows: Member[]; more: boolean; loading: boolean; onEnd: () => void }

function MemberRows({ projectId, segment, rows, more, loading, onEnd }: MemberRowsProps) {
  const frame = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length + Number(more),
    getScrollElement: () => frame.current,
    estimateSize: () => rowPixels,
    getItemKey: (index) => rows[index]?.contactId ?? "more",
    overscan: 12,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  const atEnd = more && !loading && last >= rows.length - 1
  useEffect(() => {
    if (atEnd) onEnd()
    // Only when the end comes into sight, not for each new function.
  }, [atEnd]) // eslint-disable-line react-hooks/exhaustive-deps

  return (
    <div ref={frame} tabIndex={0} role="region" aria-label="Members, newest first" className="max-h-[min(640px,70dvh)] overflow-y-auto -outline-offset-2">
      <ul className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const member = rows[index]
          return (
            <li key={key} className="absolute inset-x-0 top-0" style={{ transform: `translateY(${start}px)` }}>
              {member ? <MemberRow projectId={projectId} segment={segment} member={member} /> : <p className="px-4 py-3 text-muted">Loading more …</p>}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function MemberRow({ projectId, segment, member }: { projectId: string; segment: Segment; member: Member }) {
  const { contactId, email, firstName, lastName } = member
  return (
    <div className="flex h-[45px] items-center gap-4 border-b border-line pr-2 pl-4 hover:bg-sunken">
      <Link data-row href={`/projects/${projectId}/contacts/${contactId}`} prefetch={false} className="flex min-w-0 flex-1 gap-3 rounded-sm">
        <span className="truncate font-medium">{email}</span>
        <span className="truncate text-muted">{[firstName, lastName].filter(Boolean).join(" ")}</span>
      </Link>
      <RemoveMember projectId={projectId} segment={segment} contactId={contactId} email={email} />
    </div>
  )
}
