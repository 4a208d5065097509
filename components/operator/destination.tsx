"use client"

import { useQuery } from "@tanstack/react-query"
import { problemOf } from "@/components/data/call"
import { Form, FormRefusal } from "@/components/data/form"
import { PageNotLoaded } from "@/components/data/page-not-loaded"
import { useCall } from "@/components/data/use-call"
import { usePageForm } from "@/components/late-parts/use-page-form"
import { destinationWords, signalWords, DestinationState, waitingCount } from "@/components/operator/destinations"
import {
  type DestinationDetail,
  destinationQuery,
  destinationRoute,
  destinationsRoute,
} from "@/components/operator/queries"
import { Button, ButtonLink } from "@/components/ui/button"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { EmptyState } from "@/components/ui/empty-state"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { KeyValues } from "@/components/ui/key-values"
import { PageHeader } from "@/components/ui/page-header"
import { RelativeTime } from "@/components/ui/relative-time"
import { SaveFooter } from "@/components/settings/general-form"
import { DataTable } from "@/components/ui/table"
import { toast } from "@/components/ui/toast"
import { formatNumber } from "@/lib/platform/format"
import { regionLabel } from "@/lib/regions/regions"
import { hourMs } from "@/lib/platform/time"

const refreshMs = 5_000

type Change = "pause" | "resume" | "try"

/** One destination: what it is doing and why, whose email waits, and what the operator may do. */
export function DestinationView({ root, destinationId }: { root: string; destinationId: string }) {
  const asked = useQuery({ ...destinationQuery(destinationId), refetchInterval: refreshMs })
  const list = { label: "Destinations", href: root }
  if (asked.error && problemOf(asked.error).status === 404)
    return (
      <>
        <PageHeader crumbs={[list]} title="Destination not found" />
        <Card>
          <EmptyState title="Destination not found" action={<ButtonLink href={root}>All destinations</ButtonLink>}>
            A destination that has needed no queue of its own for a day is removed from here.
          </EmptyState>
        </Card>
      </>
    )
  if (!asked.data) return <PageNotLoaded of="Destination" lists={[list]} read={asked} rows={8} />
  const destination = asked.data
  return (
    <>
      <PageHeader
        crumbs={[list, { label: destination.name }]}
        title={destination.name}
        meta={[regionLabel(destination.region), <DestinationState key="state" {...destination} />]}
        actions={<Actions {...destination} />}
      />
      <State {...destination} />
      <DestinationHours hours={destination.hours} readAt={asked.dataUpdatedAt} />
      <Blocks {...destination} />
      <Refusals {...destination} />
      <Limits {...destination} />
      <Waiting {...destination} />
    </>
  )
}

function Actions({ id, name, pause, blocks }: DestinationDetail) {
  const control = useCall("POST /v1/operator/destinations/{destinationId}/actions", [
    destinationRoute,
    destinationsRoute,
  ])
  async function act(action: Change, done: string, undo?: Change) {
    try {
      await control.mutateAsync({ params: { destinationId: id }, body: { action } })
      const back = undo && {
        label: "Undo",
        onClick: () => void act(undo, undo === "pause" ? "Paused again" : "Resumed"),
      }
      toast.success(done, { action: back })
    } catch (error) {
      toast.error("Nothing was changed", { description: problemOf(error).detail })
    }
  }
  if (pause === undefined && blocks.length === 0)
    return (
      <ConfirmDialog
        trigger={<Button>Pause</Button>}
        title={`Pause ${name}?`}
        action="Pause"
        onConfirm={() => act("pause", "Paused", "resume")}
      >
        Email to it waits, of all projects, until you resume it. What is older than 72 hours by then has failed.
      </ConfirmDialog>
    )
  return (
    <>
      {pause === "operator" || (pause === undefined && blocks.length === 0) ? null : (
        <Button disabled={control.isPending} onClick={() => void act("try", "One email is tried now")}>
          Try now
        </Button>
      )}
      <ConfirmDialog
        trigger={<Button>Resume</Button>}
        title={`Resume ${name}?`}
        action="Resume"
        onConfirm={() => act("resume", "Resumed", "pause")}
      >
        The pause and the pace are forgotten, and all that waits is sent. Servers that refuse it pause it again.
      </ConfirmDialog>
    </>
  )
}

function State(destination: DestinationDetail) {
  const { why } = destinationWords(destination)
  const { pausedUntil, limitedSince, waiting, oldestAt, deliveredAt, reply, hosts, domains } = destination
  return (
    <Card aria-label="State">
      <CardHeader title="State" description={why} />
      <KeyValues
        items={[
          limitedSince ? { label: "Since", value: <RelativeTime at={limitedSince} /> } : null,
          pausedUntil ? { label: "Next try", value: <RelativeTime at={pausedUntil} /> } : null,
          reply ? { label: "It said", value: <span className="font-mono text-xs">{reply}</span> } : null,
          { label: "Waiting", value: waitingCount(waiting) },
          oldestAt ? { label: "Oldest", value: <RelativeTime at={oldestAt} /> } : null,
          { label: "Last delivered", value: deliveredAt ? <RelativeTime at={deliveredAt} /> : "Nothing yet" },
          { label: "Mail servers", value: hosts.join(", ") || "Unknown" },
          domains.length > 0 && { label: "Domains", value: domains.join(", ") },
        ]}
      />
    </Card>
  )
}

/** Our addresses that it refuses; email from the others goes on. */
function Blocks({ blocks }: DestinationDetail) {
  if (blocks.length === 0) return null
  return (
    <Card aria-label="Addresses it refuses">
      <CardHeader
        title="Addresses it refuses"
        description="Email from them waits, unless the address leaves it to others of its pool. Resume sends from them at once."
      />
      <DataTable
        label="Addresses it refuses"
        rows={blocks}
        keyOf={({ address }) => address}
        columns={[
          {
            head: "Address",
            cell: ({ address, reply }) => (
              <>
                <code className="block text-sm">{address}</code>
                <span className="mt-0.5 block font-mono text-xs [overflow-wrap:anywhere] text-muted">{reply}</span>
              </>
            ),
          },
          { head: "Since", from: "sm", width: "w-32", cell: ({ since }) => <RelativeTime at={since} /> },
          { head: "Next try", width: "w-32", cell: ({ until }) => <RelativeTime at={until} /> },
        ]}
      />
    </Card>
  )
}

/** Whose email its servers refused or deferred: one project's may slow everybody's. */
function Refusals({ refusals: { replies, projects, provoker } }: DestinationDetail) {
  if (projects.length === 0) return null
  const first = projects.find(({ projectId }) => projectId === provoker)
  return (
    <Card aria-label="Whose email it refuses">
      <CardHeader
        title="Whose email it refuses"
        description={
          first
            ? `Most of what it refused or deferred in the last 24 hours was email of ${first.name}: ${formatNumber(first.replies)} of ${formatNumber(replies)} replies. Email of other projects waits for that, too. In a pool of addresses of its own, the project answers for itself.`
            : "Replies of the last 24 hours that refused or deferred an email."
        }
      />
      <DataTable
        label="Whose email it refuses"
        rows={projects}
        keyOf={({ projectId }) => projectId}
        columns={[
          { head: "Project", cell: ({ name }) => <span className="block truncate">{name}</span> },
          {
            head: "Replies",
            width: "w-32",
            className: "text-right tabular-nums",
            cell: ({ replies }) => formatNumber(replies),
          },
        ]}
      />
    </Card>
  )
}

/** A field that means "as usual" when it is empty. */
const numberOrNull = { setValueAs: (text: string | number | null) => (String(text ?? "").trim() ? Number(text) : null) }

const fields = [
  { name: "connections", label: "Connections at once" },
  { name: "mailsPerConnection", label: "Emails a connection" },
] as const

function Limits({ id, learned, limits }: DestinationDetail) {
  const change = useCall("PATCH /v1/operator/destinations/{destinationId}", [destinationRoute])
  const form = usePageForm({
    schema: () => import("@/lib/delivery/destinations/schema").then(({ DestinationChange }) => DestinationChange),
    values: { connections: limits?.connections ?? null, mailsPerConnection: limits?.mailsPerConnection ?? null },
    async save(body) {
      await change.mutateAsync({ params: { destinationId: id }, body })
      toast.success("Saved")
    },
  })
  return (
    <Card aria-label="Limits">
      <Form form={form}>
        <CardHeader
          title="Limits"
          description="In place of the usual ones. What its servers were seen to allow holds below them."
        />
        <CardBody>
          <FormRefusal form={form} />
          <div className="grid items-start gap-x-6 sm:grid-cols-2">
            {fields.map(({ name, label }) => (
              <Field key={name} label={label} error={form.faultOf(name)} hint={learnedWords(learned[name])}>
                <Input
                  type="number"
                  inputMode="numeric"
                  min={1}
                  placeholder="As usual for it"
                  {...form.input(name, numberOrNull)}
                />
              </Field>
            ))}
          </div>
        </CardBody>
        <SaveFooter dirty={form.dirty} saving={form.saving} onReset={form.discard} />
      </Form>
    </Card>
  )
}

function learnedWords(seen: number | undefined): string {
  return seen === undefined ? "Nothing learned: none was refused." : `Learned from a refusal: at most ${seen}.`
}

function Waiting({ projects, replies }: DestinationDetail) {
  if (projects.length === 0) return null
  return (
    <>
      <Card aria-label="Whose email waits">
        <CardHeader title="Whose email waits" description="The projects with the most of it." />
        <DataTable
          label="Projects"
          rows={projects}
          keyOf={({ projectId }) => projectId}
          columns={[
            { head: "Project", cell: ({ name }) => <span className="block truncate">{name}</span> },
            {
              head: "Waiting",
              width: "w-32",
              className: "text-right tabular-nums",
              cell: ({ waiting }) => waitingCount(waiting),
            },
          ]}
        />
      </Card>
      {replies.length > 0 ? (
        <Card aria-label="Replies">
          <CardHeader title="Replies" description="What was last said about the email that waits." />
          <DataTable
            label="Replies"
            rows={replies}
            keyOf={({ reply }) => reply}
            columns={[
              {
                head: "Reply",
                cell: ({ reply }) => <span className="font-mono text-xs [overflow-wrap:anywhere]">{reply}</span>,
              },
              {
                head: "Emails",
                width: "w-24",
                className: "text-right tabular-nums",
                cell: ({ count }) => formatNumber(count),
              },
            ]}
          />
        </Card>
      ) : null}
    </>
  )
}

type Hour = DestinationDetail["hours"][number]

const [height, bars] = [60, 24]

/** What was delivered and put off hour by hour, with what the servers asked for in it. */
function DestinationHours({ hours, readAt }: { hours: readonly Hour[]; readAt: number }) {
  if (hours.length === 0) return null
  const first = (Math.floor(readAt / hourMs) - bars + 1) * hourMs
  const scale = Math.max(1, ...hours.map(({ delivered, deferred }) => delivered + deferred))
  const signals = hours.filter((hour) => hour.signals.length > 0).toReversed()
  const total = (of: "delivered" | "deferred") => formatNumber(hours.reduce((sum, hour) => sum + hour[of], 0))
  const sums = `${total("delivered")} delivered, ${total("deferred")} put off`
  return (
    <Card aria-label="Last 24 hours">
      <CardHeader title="Last 24 hours" description={`${sums}; by the hour, in UTC.`} />
      <CardBody>
        <div className="h-16 border-b border-line-strong">
          <svg
            role="img"
            aria-label={`By the hour: ${sums}. At most ${formatNumber(scale)} in an hour.`}
            viewBox={`0 0 ${bars} ${height}`}
            preserveAspectRatio="none"
            className="block size-full"
          >
            {hours.map((hour) => (
              <Bar key={hour.hour} hour={hour} at={(Date.parse(hour.hour) - first) / hourMs} scale={scale} />
            ))}
          </svg>
        </div>
        {signals.length > 0 ? (
          <ul className="mt-3 space-y-1 text-sm tabular-nums">
            {signals.map(({ hour, signals: told }) => (
              <li key={hour}>
                <span className="mr-3 text-muted">{hour.slice(11, 16)}</span>
                {told.map((signal) => signalWords[signal]).join(", ")}
              </li>
            ))}
          </ul>
        ) : null}
      </CardBody>
    </Card>
  )
}

function Bar({ hour: { delivered, deferred, signals }, at, scale }: { hour: Hour; at: number; scale: number }) {
  const [good, late] = [(delivered / scale) * height, (deferred / scale) * height]
  return (
    <>
      <rect x={at + 0.1} y={height - good} width={0.8} height={good} className="fill-good" />
      <rect x={at + 0.1} y={height - good - late} width={0.8} height={late} className="fill-warn" />
      {signals.length > 0 ? <rect x={at + 0.1} y={height - 3} width={0.8} height={3} className="fill-bad" /> : null}
    </>
  )
}
