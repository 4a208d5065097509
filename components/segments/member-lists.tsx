"use client"

import { useRef, useState } from "react"
import { EndlessFrame, RestNote, type EndlessRest } from "@/components/ui/endless"
import { useEndless } from "@/components/ui/use-endless"
import { MemberRow, type SegmentMember } from "@/components/segments/member-row"
import type { Segment } from "@/components/segments/queries"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { query } from "@/components/data/query"
import { LoadError } from "@/components/data/load-error"
import { Button } from "@/components/ui/button"
import { SearchInput, useSettled } from "@/components/ui/input"
import { SkeletonRows } from "@/components/ui/loading"

const rowPixels = 45

type MemberRowsProps = { projectId: string; segment: Segment; members: SegmentMember[]; rest: EndlessRest }

/** Any number of members, of which only those in sight exist. */
export function MemberRows({ projectId, segment, members, rest }: MemberRowsProps) {
  const frame = useRef<HTMLDivElement>(null)
  const { items, height, measure } = useEndless({
    frame,
    keys: members.map(({ contactId }) => contactId),
    rowPixels,
    rest,
  })
  return (
    <EndlessFrame label="Members, newest first" frame={frame}>
      <ul className="relative" style={{ height }}>
        {items.map(({ index, key, start }) => {
          const member = members[index]
          return (
            <li
              key={key}
              ref={measure}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={Math.max(segment.contactCount, members.length)}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              {member ? <MemberRow projectId={projectId} segment={segment} member={member} /> : <RestNote {...rest} />}
            </li>
          )
        })}
      </ul>
    </EndlessFrame>
  )
}

type MemberSearchProps = {
  projectId: string
  segmentId: string
  onPick: (person: { contactId: string; email: string }) => void
}

const shownMax = 8

/** Contacts whose address or name contains the text, the newest first, each with a button to add it. */
export function MemberSearch({ projectId, segmentId, onPick }: MemberSearchProps) {
  const [draft, setDraft] = useState("")
  const search = useSettled(draft.trim(), 250)
  const found = useQuery({
    ...query("GET /v1/projects/{projectId}/contacts", {
      params: { projectId },
      query: { size: shownMax, ...(search ? { search } : {}) },
    }),
    placeholderData: keepPreviousData,
  })
  const contacts = found.data?.data ?? []
  return (
    <div role="search" aria-label="A contact to add">
      <SearchInput
        autoFocus
        label="Address or name"
        className="sm:w-full"
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        value={draft}
        onChange={({ target }) => setDraft(target.value)}
      />
      <p role="status" className="mt-3 text-muted">
        {found.data ? wordsOf(found.data.page.total, search) : ""}
      </p>
      {found.isPending ? <SkeletonRows rows={4} label="Loading contacts" /> : null}
      {found.isError && !found.data ? (
        <LoadError error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
      ) : null}
      <ul aria-label="Contacts" className="mt-1">
        {contacts.map(({ id, email, firstName, lastName, segments }) => (
          <li key={id} className="flex min-h-10 items-center gap-3 border-b border-line py-1 last:border-b-0">
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium" title={email}>
                {email}
              </span>
              <span className="block truncate text-muted empty:hidden">
                {[firstName, lastName].filter(Boolean).join(" ")}
              </span>
            </span>
            {segments.includes(segmentId) ? (
              <span className="text-muted">Member</span>
            ) : (
              <Button size="small" aria-label={`Add ${email}`} onClick={() => onPick({ contactId: id, email })}>
                Add
              </Button>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

function wordsOf(total: number, search: string): string {
  if (total === 0)
    return search ? `No contact has “${search}” in its address or name.` : "This project has no contacts yet."
  if (total <= shownMax) return search ? `${total} found.` : "All contacts."
  return search
    ? `The newest ${shownMax} of those found. Type more to find others.`
    : `The newest ${shownMax}. Type to find others.`
}
