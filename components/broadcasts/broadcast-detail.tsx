"use client"

import { useQuery, keepPreviousData } from "@tanstack/react-query"
import { useState } from "react"
import {
  type Broadcast,
  broadcastQuery,
  broadcastPreviewQuery,
  broadcastLinksQuery,
} from "@/components/broadcasts/queries"
import { acceptedSoFar, broadcastWords, leftOut, progressOf, standstill } from "@/components/broadcasts/words"
import { useMoment } from "@/components/data/clock-time"
import { PageNotLoaded } from "@/components/data/page-not-loaded"
import { Callout } from "@/components/ui/callout"
import { Card, CardHeader } from "@/components/ui/card"
import { PageHeader } from "@/components/ui/page-header"
import { Pill } from "@/components/ui/pill"
import { ProgressBar, Skeleton } from "@/components/ui/loading"
import { RelativeTime } from "@/components/ui/relative-time"
import { TextLink } from "@/components/ui/text"
import { countText, formatNumber } from "@/lib/platform/format"
import { PersonChoice } from "@/components/compose/person-choice"
import { dynamic } from "@/components/late-parts/dynamic"
import {
  clickedFigure,
  openedFigure,
  deliveredFigure,
  figure,
  reachedFigure,
  FigureStat,
} from "@/components/metrics/figures"
import { Stat, Stats } from "@/components/ui/stat"
import { NotLoaded } from "@/components/data/load-error"
import { type Column, DataTable, RowLink } from "@/components/ui/table"
import { May } from "@/components/access/powers"
import { OpenChecks } from "@/components/compose/check"
import { isEditable } from "@/components/compose/addresses"
import { useCall, useOneAtATime } from "@/components/data/use-call"
import { Button, ButtonLink } from "@/components/ui/button"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { toast } from "@/components/ui/toast"
import { nextStatus } from "@/lib/broadcasts/rules"
import { lackingCheck, type LackingValues } from "@/components/compose/placeholders"
import { Users } from "lucide-react"
import { ResourceList } from "@/components/data/resource-list"
import { addressWithoutName } from "@/components/emails/address"
import { countsQuery, type Email, emailsQuery } from "@/components/emails/queries"
import { StatusChips } from "@/components/emails/status-chips"
import { EmailStatusPill } from "@/components/emails/status"
import { useAddressParam, usePageParam } from "@/components/layout/use-address-param"
import { EmptyState } from "@/components/ui/empty-state"
import { useGoOn } from "@/components/ui/leaving"
import { emailStatuses, type EmailStatus } from "@/lib/emails/message-rules"

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
  if (status === "draft") return "This is a draft. No email has been sent."
  if (status === "scheduled")
    return scheduledAt ? `It starts ${moment(scheduledAt)}.` : "It starts at its scheduled time."
  const progress = progressOf(broadcast)
  if (!progress) return status === "preparing" ? "The recipients are being counted." : "No email has been sent."
  if (status === "sent") return `Sent to ${countText(counts.accepted, "person", "people")}.`
  const of = countText(progress.of, "person", "people")
  if (status === "cancelled") return `Cancelled after ${accepted} of ${of}.`
  return `Sent to ${accepted} of ${of}.`
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

const reads = [
  "GET /v1/projects/{projectId}/broadcasts",
  "GET /v1/projects/{projectId}/broadcasts/{broadcastId}",
] as const

type BroadcastProps = { projectId: string; broadcast: Broadcast }

/** What the state of a broadcast allows: send, pause, resume, cancel; and a copy of it at any time. */
function BroadcastActions({ projectId, broadcast }: BroadcastProps) {
  const goOn = useGoOn()
  const { id, status, subject, counts } = broadcast
  const input = { params: { projectId, broadcastId: id } }
  const pause = useCall("POST /v1/projects/{projectId}/broadcasts/{broadcastId}/pause", reads)
  const resume = useCall("POST /v1/projects/{projectId}/broadcasts/{broadcastId}/resume", reads)
  const cancel = useCall("POST /v1/projects/{projectId}/broadcasts/{broadcastId}/cancel", reads)
  const copy = useCall("POST /v1/projects/{projectId}/broadcasts/{broadcastId}/duplicate", reads)
  const may = (step: "send" | "pause" | "resume" | "cancel") => nextStatus(status, step) !== null
  const failed = (error: Error) => void toast.error(error.message)

  const duplicate = useOneAtATime(async () => {
    try {
      const made = await copy.mutateAsync(input)
      toast.success("Copied to a new draft")
      goOn(`/projects/${projectId}/broadcasts/${made.id}`)
    } catch (error) {
      failed(error as Error)
    }
  })
  const take = useOneAtATime(async (step: typeof pause | typeof resume) => {
    try {
      await step.mutateAsync(input)
    } catch (error) {
      failed(error as Error)
    }
  })
  return (
    <May permission="emails:send">
      <Button loading={copy.isPending} onClick={() => void duplicate()}>
        Duplicate
      </Button>
      {isEditable(broadcast) ? (
        <ButtonLink href={`/projects/${projectId}/emails/compose?draft=${id}`}>Edit</ButtonLink>
      ) : null}
      {may("pause") ? (
        <Button loading={pause.isPending} onClick={() => void take(pause)}>
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
          {acceptedSoFar(counts)} No one else gets it, and it cannot be resumed.
        </ConfirmDialog>
      ) : null}
      {may("resume") ? (
        <Button variant="primary" loading={resume.isPending} onClick={() => void take(resume)}>
          Resume
        </Button>
      ) : null}
      {may("send") ? <SendNow projectId={projectId} broadcast={broadcast} /> : null}
    </May>
  )
}

/** Asks once, with how many people get it and what is worth a thought. */
function SendNow({ projectId, broadcast }: BroadcastProps) {
  const [asking, setAsking] = useState(false)
  const send = useCall("POST /v1/projects/{projectId}/broadcasts/{broadcastId}/send", reads)
  const { data } = useQuery({ ...broadcastPreviewQuery(projectId, broadcast, ""), enabled: asking })
  const { id, subject } = broadcast
  const count = data && `${data.complete ? "" : "at least "}${formatNumber(data.sendable)}`
  const people = data ? `${count} ${data.sendable === 1 ? "person" : "people"}` : "everyone in its audience"
  return (
    <ConfirmDialog
      trigger={<Button variant="primary">Send now</Button>}
      open={asking}
      onOpenChange={setAsking}
      title={`Send “${subject}” to ${people}?`}
      action="Send broadcast"
      tone="primary"
      onConfirm={async () => void (await send.mutateAsync({ params: { projectId, broadcastId: id } }))}
    >
      Each gets a separate message. People who are unsubscribed or suppressed do not get it.
      <OpenChecks checks={data ? sendChecks(broadcast, data) : []} />
    </ConfirmDialog>
  )
}

type Check = { id: string; title: string; detail?: string }

/** What is worth a thought before a stored broadcast is sent. */
function sendChecks({ html, text }: Pick<Broadcast, "html" | "text">, preview: LackingValues): Check[] {
  const checks: Check[] = []
  if (preview.sendable === 0) checks.push({ id: "people", title: "No one in its audience can get email" })
  if (html !== undefined && text === undefined)
    checks.push({
      ...{ id: "text", title: "No text part" },
      detail: "Some mail programs show only text, and spam filters expect it.",
    })
  const lacking = lackingCheck(preview)
  return lacking ? [...checks, { id: "lacking", ...lacking }] : checks
}

const refreshMs = 5_000

/** Who got it and what became of it for each, by outcome. */
function PeopleCard({ projectId, broadcast }: { projectId: string; broadcast: Broadcast }) {
  const [page, setPage] = usePageParam()
  const [outcome, setOutcome] = useAddressParam("outcome")
  const chosen = emailStatuses.filter((status) => outcome?.split(",").includes(status))
  const of = { broadcastId: broadcast.id }
  const polling = { placeholderData: keepPreviousData, refetchInterval: refreshMs }
  const list = useQuery({ ...emailsQuery(projectId, { ...of, page, status: chosen.join(",") }), ...polling })
  const counts = useQuery({ ...countsQuery(projectId, of), ...polling }).data
  if (broadcast.counts.accepted === 0) return null

  function choose(statuses: EmailStatus[]) {
    setPage(1)
    setOutcome(statuses.length ? statuses.join(",") : null)
  }
  return (
    <ResourceList
      label="People"
      list={list}
      page={[page, setPage]}
      columns={columns}
      keyOf={({ id }) => id}
      href={({ id }) => `/projects/${projectId}/emails/${id}`}
      header={
        <>
          <CardHeader title="People" description="What became of it for each of them" />
          <div className="border-b border-line px-4 py-2.5">
            <StatusChips counts={counts} chosen={chosen} onChoose={choose} />
          </div>
        </>
      }
      empty={
        <EmptyState icon={<Users />} title="Nobody with this outcome">
          Choose another one, or all.
        </EmptyState>
      }
    />
  )
}

const columns: Column<Email>[] = [
  {
    head: "Person",
    cellClassName: "[overflow-wrap:anywhere]",
    cell: ({ to }, href) => (
      <RowLink href={href} prefetch={false}>
        {addressWithoutName(to[0] ?? "")}
      </RowLink>
    ),
  },
  { head: "Outcome", width: "w-32", cell: ({ status }) => <EmailStatusPill status={status} inTable /> },
  {
    head: "Accepted",
    from: "sm",
    width: "w-36",
    numeric: true,
    muted: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
]
