"use client"

import { useQuery, keepPreviousData } from "@tanstack/react-query"
import { useState } from "react"
import {
  type Broadcast,
  broadcastQuery,
  broadcastPreviewQuery,
  broadcastLinksQuery,
} from "@/components/broadcasts/queries"
import { BroadcastActions } from "@/components/broadcasts/broadcast-actions"
import { PeopleCard } from "@/components/broadcasts/people-card"
import { broadcastWords, leftOut, progressOf, standstill } from "@/components/broadcasts/words"
import { useMoment } from "@/components/data/clock-time"
import { PageNotLoaded } from "@/components/data/page-not-loaded"
import { Callout } from "@/components/ui/callout"
import { Card, CardHeader } from "@/components/ui/card"
import { PageHeader } from "@/components/ui/page-header"
import { Pill } from "@/components/ui/pill"
import { ProgressBar } from "@/components/ui/progress"
import { RelativeTime } from "@/components/ui/relative-time"
import { TextLink } from "@/components/ui/text-link"
import { formatNumber } from "@/lib/platform/format"
import { PersonChoice } from "@/components/compose/person-choice"
import { dynamic } from "@/components/late-parts/dynamic"
import { Skeleton } from "@/components/ui/skeleton"
import { clickedFigure, openedFigure } from "@/components/broadcasts/figures"
import { deliveredFigure, figure, reachedFigure } from "@/components/metrics/figures"
import { FigureStat } from "@/components/metrics/figure-stat"
import { Stat, Stats } from "@/components/ui/stat"
import { NotLoaded } from "@/components/data/load-error"
import { type Column, DataTable } from "@/components/ui/table"

const soonMs = 1_500
const laterMs = 15_000

/** One message to many people: how far it is, what became of it, and what it says. */
export function BroadcastDetail({ projectId, broadcastId }: { projectId: string; broadcastId: string }) {
  const read = useQuery({
    ...broadcastQuery(projectId, broadcastId),
    refetchInterval: ({ state }) =>
      state.data?.status === "preparing" || state.data?.status === "sending" ? soonMs : laterMs,
  })
  const list = { label: "Broadcasts", href: `/projects/${projectId}/broadcasts` }
  if (!read.data) return <PageNotLoaded of="Broadcast" lists={[list]} read={read} rows={8} />
  const { subject, from, status, createdAt } = read.data
  const { word, tone, means } = broadcastWords(status)
  return (
    <>
      <PageHeader
        crumbs={[list, { label: subject }]}
        title={subject}
        pill={
          <Pill tone={tone} tip={means}>
            {word}
          </Pill>
        }
        meta={[`from ${from}`, <RelativeTime key="at" at={createdAt} />]}
        actions={<BroadcastActions projectId={projectId} broadcast={read.data} />}
      />
      <BroadcastProgress projectId={projectId} broadcast={read.data} />
      <BroadcastResults broadcast={read.data} />
      <LinksCard projectId={projectId} broadcast={read.data} />
      <PeopleCard projectId={projectId} broadcast={read.data} />
      <MessageCard projectId={projectId} broadcast={read.data} />
    </>
  )
}

/** The progress as a sentence and a bar, and why the broadcast does not advance, if so. */
function BroadcastProgress({ projectId, broadcast }: { projectId: string; broadcast: Broadcast }) {
  const progress = progressOf(broadcast)
  const why = standstill(broadcast)
  return (
    <>
      {why ? (
        <Callout tone={broadcast.pausedReason && broadcast.pausedReason !== "requested" ? "bad" : "warn"} title={why} />
      ) : null}
      <Card aria-label="Progress">
        <div className="grid gap-3 p-4">
          <p className="text-xl font-semibold" aria-live="polite">
            {useSentence(broadcast)}
          </p>
          {progress ? <ProgressBar label="People processed" value={progress.done} max={progress.of} /> : null}
          <p className="flex flex-wrap gap-x-4 text-muted">
            {leftOut(broadcast) ? <span>{leftOut(broadcast)}</span> : null}
            {broadcast.counts.accepted > 0 ? (
              <TextLink href={`/projects/${projectId}/emails?broadcast=${broadcast.id}`}>Open its emails</TextLink>
            ) : null}
          </p>
        </div>
      </Card>
    </>
  )
}

function useSentence(broadcast: Broadcast): string {
  const moment = useMoment()
  const { status, counts, scheduledAt } = broadcast
  const accepted = formatNumber(counts.accepted)
  const people = counts.accepted === 1 ? "person" : "people"
  if (status === "draft") return "This is a draft. No email has been sent."
  if (status === "scheduled")
    return scheduledAt ? `It starts ${moment(scheduledAt)}.` : "It starts at its scheduled time."
  const progress = progressOf(broadcast)
  if (!progress) return "The recipients are being counted."
  if (status === "sent") return `Sent to ${accepted} ${people}.`
  const of = formatNumber(progress.of)
  if (status === "cancelled") return `Cancelled after ${accepted} of ${of} people.`
  return `Sent to ${accepted} of ${of} people.`
}

const Preview = dynamic(() => import("@/components/emails/preview").then((module) => module.EmailPreview), {
  ssr: false,
  loading: () => <Skeleton className="m-4 h-60" />,
})

/** The message as one person of the audience gets it, with the link to unsubscribe. */
function MessageCard({ projectId, broadcast }: { projectId: string; broadcast: Broadcast }) {
  const [person, setPerson] = useState("")
  const { data } = useQuery({
    ...broadcastPreviewQuery(projectId, broadcast, person),
    placeholderData: keepPreviousData,
  })
  const { html, text, subject } = data ?? broadcast
  return (
    <Card aria-label="Message">
      <CardHeader title="Message" {...(data?.person && { description: subject })} />
      {data ? <PersonChoice shown={data} person={person} onPerson={setPerson} /> : null}
      <Preview {...(html === undefined ? {} : { html })} {...(text === undefined ? {} : { text })} />
    </Card>
  )
}

/** What became of its emails; a share only where there is something to share. */
function BroadcastResults({ broadcast }: { broadcast: Broadcast }) {
  const { counts } = broadcast
  const { sent } = counts
  if (sent === 0) return null
  return (
    <Card aria-label="Results">
      <CardHeader title="Results" description="As in the metrics, excluding simulator addresses" />
      <Stats>
        <FigureStat label="Delivered" {...deliveredFigure(counts)} />
        <FigureStat label="Opened" {...openedFigure(broadcast)} />
        <FigureStat label="Clicked" {...clickedFigure(broadcast)} />
        <FigureStat label="Unsubscribed" {...reachedFigure(counts.unsubscribed, counts)} />
        <FigureStat label="Hard bounces" {...figure(counts.bounced, sent, "sent")} />
        <FigureStat label="Complained" {...reachedFigure(counts.complained, counts)} />
        <FigureStat label="Failed" {...figure(counts.failed, sent, "sent")} />
        <Stat label="Sent" value={formatNumber(sent)} />
      </Stats>
    </Card>
  )
}

/** The links that people followed. */
function LinksCard({ projectId, broadcast }: { projectId: string; broadcast: Broadcast }) {
  const { id, counts, tracked } = broadcast
  const read = useQuery({ ...broadcastLinksQuery(projectId, id), refetchInterval: laterMs })
  if (counts.accepted === 0) return null
  const links = read.data?.data ?? []
  return (
    <Card aria-label="Links">
      <CardHeader
        title="Links"
        description={
          read.data?.complete === false ? "Clicks of the first 10,000 people" : "Clicks by people, machines excluded"
        }
      />
      {!read.data ? <NotLoaded read={read} label="links" /> : null}
      {links.length > 0 ? (
        <DataTable label="Links" columns={linkColumns} rows={links} keyOf={({ url }) => url} />
      ) : null}
      {read.data && links.length === 0 ? (
        <p className="px-4 py-6 text-center text-muted">
          {tracked.clicks ? (
            "Nobody has followed a link yet."
          ) : (
            <>
              Clicks are not tracked. Turn on click tracking in Compose, or in the{" "}
              <TextLink href={`/projects/${projectId}/settings`}>project&apos;s settings</TextLink>.
            </>
          )}
        </p>
      ) : null}
    </Card>
  )
}

type Link = { url: string; clicks: number; people: number }

const linkColumns: Column<Link>[] = [
  { head: "Link", cellClassName: "[overflow-wrap:anywhere]", cell: ({ url }) => url },
  { head: "People", width: "w-24", numeric: true, cell: ({ people }) => formatNumber(people) },
  { head: "Clicks", width: "w-24", numeric: true, cell: ({ clicks }) => formatNumber(clicks) },
]
