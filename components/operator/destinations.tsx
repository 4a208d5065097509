"use client"

import { type Destination, type DestinationDetail, destinationsQuery } from "@/components/operator/queries"
import { type Tone, Pill } from "@/components/ui/pill"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Route } from "lucide-react"
import { ResourceList } from "@/components/data/resource-list"
import { usePageParam } from "@/components/layout/use-address-param"
import { Absent } from "@/components/ui/text"
import { EmptyState } from "@/components/ui/empty-state"
import { RelativeTime } from "@/components/ui/relative-time"
import { RowLink, type Column } from "@/components/ui/table"
import { regionLabel } from "@/lib/regions/regions"

type State = Pick<Destination, "state" | "pause" | "pacePerMinute" | "refusedAddresses">

const pauses: Record<NonNullable<Destination["pause"]>, { tone: Tone; text: string; why: string }> = {
  away: {
    tone: "bad",
    text: "Away",
    why: "No server of it could be reached. One email is tried at the end of each pause; the pauses grow from a minute to an hour.",
  },
  slow: {
    tone: "warn",
    text: "Paused: slow down",
    why: "Its servers asked us to slow down, and again at one email a minute. Send less to it, or wait.",
  },
  block: {
    tone: "bad",
    text: "Refuses our address",
    why: "Its servers refuse the address that we send from. Ask the provider to remove the block; the reply often has the link.",
  },
  operator: { tone: "wait", text: "Paused by you", why: "Nothing is sent to it until you resume it." },
  warm_up: {
    tone: "wait",
    text: "Warming up",
    why: "The address that we send from has reached what it may send today. The rest goes tomorrow.",
  },
}

/** What a destination is doing, as a pill and a sentence. */
export function destinationWords({ state, pause, pacePerMinute, refusedAddresses }: State): {
  tone: Tone
  text: string
  why: string
} {
  if (pause && state === "trying")
    return {
      ...pauses[pause],
      tone: "warn",
      text: "Trying again",
      why: "One email is on its way to find out whether the pause is over.",
    }
  if (pause) return pauses[pause]
  if (pacePerMinute !== undefined)
    return {
      tone: "warn",
      text: `Slowed to ${paceWords(pacePerMinute)}`,
      why: "Its servers asked us to slow down. The pace grows by half every five minutes in which they do not.",
    }
  if (refusedAddresses > 0)
    return {
      tone: "bad",
      text: refusedAddresses === 1 ? "Refuses an address" : `Refuses ${refusedAddresses} addresses`,
      why: "Email from there waits; from other addresses it leaves as it comes. Open it for what its servers said, and to try again.",
    }
  return { tone: "good", text: "Flowing", why: "Email to it leaves as it comes." }
}

/** What the servers of a destination asked for. */
export const signalWords: Record<DestinationDetail["hours"][number]["signals"][number], string> = {
  connections: "asked for fewer connections",
  mails: "asked for fewer emails on a connection",
  slow: "asked us to slow down",
  block: "refused our address",
  away: "could not be reached",
}

/** "12 a minute" */
export function paceWords(perMinute: number): string {
  return `${perMinute < 10 ? Math.round(perMinute * 10) / 10 : Math.round(perMinute)} a minute`
}

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
