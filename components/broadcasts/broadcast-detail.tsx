"use client"

import { useQuery } from "@tanstack/react-query"
import { May } from "@/components/access/powers"
import { type Broadcast, broadcastQuery } from "@/components/broadcasts/queries"
import { broadcastWords, leftOut, progressOf, standstill } from "@/components/broadcasts/words"
import { useMoment } from "@/components/data/clock-time"
import { PageNotLoaded } from "@/components/data/page-not-loaded"
import { useCall } from "@/components/data/use-call"
import { reachedCount, reachedWord } from "@/components/metrics/rates"
import { Button } from "@/components/ui/button"
import { Callout } from "@/components/ui/callout"
import { Card, CardHeader } from "@/components/ui/card"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { dynamic } from "@/components/late-parts/dynamic"
import { PageHeader } from "@/components/ui/page-header"
import { Pill } from "@/components/ui/pill"
import { ProgressBar } from "@/components/ui/progress"
import { RelativeTime } from "@/components/ui/relative-time"
import { Skeleton } from "@/components/ui/skeleton"
import { Stat, Stats } from "@/components/ui/stat"
import { TextLink } from "@/components/ui/text-link"
import { toast } from "@/components/ui/toast"
import { nextStatus } from "@/lib/broadcasts/rules"
import { formatNumber } from "@/lib/platform/format"

const Preview = dynamic(() => import("@/components/emails/preview").then((module) => module.EmailPreview), {
  ssr: false,
  loading: () => <Skeleton className="m-4 h-60" />,
})

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
  const { subject, from, status, createdAt, html, text } = read.data
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
      <BroadcastResults counts={read.data.counts} />
      <Card>
        <CardHeader title="Message" />
        <Preview {...(html === undefined ? {} : { html })} {...(text === undefined ? {} : { text })} />
      </Card>
    </>
  )
}

const reads = [
  "GET /v1/projects/{projectId}/broadcasts",
  "GET /v1/projects/{projectId}/broadcasts/{broadcastId}",
] as const

/** What the state of a broadcast allows: send, pause, resume, cancel. */
function BroadcastActions({ projectId, broadcast }: { projectId: string; broadcast: Broadcast }) {
  const { id, status, subject, counts } = broadcast
  const input = { params: { projectId, broadcastId: id } }
  const send = useCall("POST /v1/projects/{projectId}/broadcasts/{broadcastId}/send", reads)
  const pause = useCall("POST /v1/projects/{projectId}/broadcasts/{broadcastId}/pause", reads)
  const resume = useCall("POST /v1/projects/{projectId}/broadcasts/{broadcastId}/resume", reads)
  const cancel = useCall("POST /v1/projects/{projectId}/broadcasts/{broadcastId}/cancel", reads)
  const may = (step: "send" | "pause" | "resume" | "cancel") => nextStatus(status, step) !== null
  const failed = (error: Error) => void toast.error(error.message)

  return (
    <May permission="emails:send">
      {may("pause") ? (
        <Button loading={pause.isPending} onClick={() => pause.mutate(input, { onError: failed })}>
          Pause
        </Button>
      ) : null}
      {may("cancel") ? (
        <ConfirmDialog
          trigger={<Button>Cancel broadcast</Button>}
          title={`Cancel “${subject}”?`}
          action="Cancel broadcast"
          onConfirm={async () => void (await cancel.mutateAsync(input))}
        >
          {formatNumber(counts.accepted)} emails already accepted are still sent. No one else gets it, and it cannot be
          resumed.
        </ConfirmDialog>
      ) : null}
      {may("resume") ? (
        <Button variant="primary" loading={resume.isPending} onClick={() => resume.mutate(input, { onError: failed })}>
          Resume
        </Button>
      ) : null}
      {may("send") ? (
        <ConfirmDialog
          trigger={<Button variant="primary">Send now</Button>}
          title={`Send “${subject}” now?`}
          action="Send broadcast"
          tone="primary"
          onConfirm={async () => void (await send.mutateAsync(input))}
        >
          Everyone in its audience gets it, except people who are unsubscribed or suppressed.
        </ConfirmDialog>
      ) : null}
    </May>
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

/** What became of its emails; a share only where there is something to share. */
function BroadcastResults({ counts }: { counts: Broadcast["counts"] }) {
  const { sent, delivered, deliveryReported, deliveryNotReported = 0 } = counts
  const reached = { of: reachedCount(counts), what: reachedWord(counts) }
  if (sent === 0) return null
  return (
    <Card aria-label="Results">
      <CardHeader title="Results" description="As in the metrics, excluding simulator addresses" />
      <Stats>
        {deliveryReported === false ? (
          <Stat
            label="Delivered"
            value={formatNumber(delivered)}
            hint={`not reported of ${formatNumber(deliveryNotReported)}`}
          />
        ) : (
          <Share label="Delivered" count={delivered} of={sent} what="sent" />
        )}
        <Share label="Opened" count={counts.opened} {...reached} />
        <Share label="Clicked" count={counts.clicked} {...reached} />
        <Share label="Unsubscribed" count={counts.unsubscribed} {...reached} />
        <Share label="Bounced" count={counts.bounced} of={sent} what="sent" />
        <Share label="Complained" count={counts.complained} {...reached} />
        <Share label="Failed" count={counts.failed} of={counts.accepted} what="accepted" />
        <Stat label="Sent" value={formatNumber(sent)} />
      </Stats>
    </Card>
  )
}

function Share({ label, count, of, what }: { label: string; count: number; of: number; what: string }) {
  const share = of > 0 ? `${((100 * count) / of).toFixed(1)}% of ${what}` : undefined
  return <Stat label={label} value={formatNumber(count)} hint={share} />
}
