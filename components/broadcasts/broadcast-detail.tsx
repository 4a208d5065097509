"use client"

import { useQuery } from "@tanstack/react-query"
import { type Broadcast, broadcastQuery } from "@/components/broadcasts/queries"
import { BroadcastActions } from "@/components/broadcasts/broadcast-actions"
import { LinksCard } from "@/components/broadcasts/links-card"
import { MessageCard } from "@/components/broadcasts/message-card"
import { PeopleCard } from "@/components/broadcasts/people-card"
import { BroadcastResults } from "@/components/broadcasts/results-card"
import { broadcastWords, leftOut, progressOf, standstill } from "@/components/broadcasts/words"
import { useMoment } from "@/components/data/clock-time"
import { PageNotLoaded } from "@/components/data/page-not-loaded"
import { Callout } from "@/components/ui/callout"
import { Card } from "@/components/ui/card"
import { PageHeader } from "@/components/ui/page-header"
import { Pill } from "@/components/ui/pill"
import { ProgressBar } from "@/components/ui/progress"
import { RelativeTime } from "@/components/ui/relative-time"
import { TextLink } from "@/components/ui/text-link"
import { formatNumber } from "@/lib/platform/format"

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
