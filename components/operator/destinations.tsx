"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Route } from "lucide-react"
import { ResourceList } from "@/components/data/resource-list"
import { usePageParam } from "@/components/layout/use-address-param"
import { destinationWords } from "@/components/operator/destination-words"
import { destinationsQuery, type Destination } from "@/components/operator/queries"
import { Absent } from "@/components/ui/text"
import { EmptyState } from "@/components/ui/empty-state"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { RowLink, type Column } from "@/components/ui/table"
import { regionLabel } from "@/lib/regions/regions"

const refreshMs = 10_000

/** Where email goes directly, those in trouble first; `root` is the address of this page. */
export function Destinations({ root }: { root: string }) {
  const page = usePageParam()
  const list = useQuery({
    ...destinationsQuery(page[0]),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
  return (
    <ResourceList
      wide
      label="Destinations"
      list={list}
      page={page}
      columns={columns}
      keyOf={({ id }) => id}
      href={({ id }) => `${root}/${id}`}
      empty={
        <EmptyState icon={<Route />} title="No destination has a queue of its own">
          In a region that sends directly, a mailbox provider gets one with its first email; other mail servers get one
          when they are away, ask us to slow down, or take much email. Regions with a relay have none.
        </EmptyState>
      }
    />
  )
}

/** On a small screen the state and what waits are below the name. */
const columns: Column<Destination>[] = [
  {
    head: "Destination",
    width: "sm:w-[26%]",
    cell: (destination, href) => (
      <>
        <RowLink href={href} prefetch={false} className="block truncate">
          {destination.name}
        </RowLink>
        <span className="mt-0.5 block truncate text-xs text-muted">{regionLabel(destination.region)}</span>
        <span className="mt-1 block sm:hidden">
          <DestinationState {...destination} />
        </span>
      </>
    ),
  },
  { head: "State", from: "sm", width: "w-[24%]", cell: (destination) => <DestinationState {...destination} /> },
  {
    head: "Waiting",
    width: "w-24 sm:w-[12%]",
    className: "text-right tabular-nums",
    cell: ({ waiting }) => waitingCount(waiting),
  },
  {
    head: "Oldest",
    from: "md",
    width: "w-[14%]",
    muted: true,
    cell: ({ oldestAt }) => (oldestAt ? <RelativeTime at={oldestAt} /> : <Absent word="Nothing waits" />),
  },
  {
    head: "Last reply",
    from: "xl",
    truncate: true,
    muted: true,
    title: ({ reply }) => reply,
    cell: ({ reply }) => reply ?? <Absent word="No reply" />,
  },
]

export function DestinationState(
  destination: Pick<Destination, "state" | "pause" | "pacePerMinute" | "refusedAddresses">,
) {
  const { tone, text, why } = destinationWords(destination)
  return (
    <Pill tone={tone} tip={why} inTable>
      {text}
    </Pill>
  )
}

/** Counted to ten thousand. */
export function waitingCount(waiting: number): string {
  return waiting >= 10_000 ? "10,000 or more" : waiting.toLocaleString("en")
}
