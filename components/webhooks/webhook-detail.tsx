"use client"

import { useQuery } from "@tanstack/react-query"
import { Check, Send } from "lucide-react"
import { lazy, type ReactNode, Suspense, useState } from "react"
import { May } from "@/components/access/powers"
import { DeleteCard } from "@/components/data/delete-card"
import { PageNotLoaded } from "@/components/data/page-not-loaded"
import { useOneAtATime } from "@/components/data/use-call"
import { dynamic } from "@/components/late-parts/dynamic"
import { useAddressParam } from "@/components/layout/use-address-param"
import { Button, ButtonLink } from "@/components/ui/button"
import { Callout } from "@/components/ui/callout"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { CopyText } from "@/components/ui/copy-button"
import { PageHeader } from "@/components/ui/page-header"
import { Pill } from "@/components/ui/pill"
import { RelativeTime, useOpenedAt } from "@/components/ui/relative-time"
import { toast } from "@/components/ui/toast"
import { Deliveries } from "@/components/webhooks/deliveries"
import { offeredEvents } from "@/components/webhooks/event-words"
import { HealthCard } from "@/components/webhooks/health-card"
import {
  webhookShape,
  useDeleteWebhook,
  useTestWebhook,
  useUpdateWebhook,
  type Webhook,
  webhookQuery,
} from "@/components/webhooks/queries"
import { SecretCard } from "@/components/webhooks/secret-card"
import { verifyWords, webhookState } from "@/components/webhooks/states"
import type { EventFilter, Transformation } from "@/lib/webhooks/rules"

const VerifyCard = lazy(() =>
  import("@/components/webhooks/verify-card").then((module) => ({ default: module.VerifyCard })),
)
// Shown only until the first delivery.
const Playground = dynamic(() => import("@/components/webhooks/playground").then((module) => module.Playground), {
  loading: () => <Card aria-label="Preview" className="h-120" />,
})

const refreshMs = 15_000

export function WebhookDetail({ projectId, webhookId }: { projectId: string; webhookId: string }) {
  const now = useOpenedAt()
  const read = useQuery({
    ...webhookQuery(projectId, webhookId),
    refetchInterval: refreshMs,
  })
  const list = { label: "Webhooks", href: `/projects/${projectId}/webhooks` }
  if (!read.data) return <PageNotLoaded of="Webhook" lists={[list]} read={read} />
  const { data } = read
  const { tone, word, tip } = webhookState(data, now)
  return (
    <>
      <PageHeader
        title={data.name}
        crumbs={[list, { label: data.name }]}
        pill={
          <Pill tone={tone} tip={tip}>
            {word}
          </Pill>
        }
        meta={[
          <code key="url">{data.url}</code>,
          <span key="made">
            Created <RelativeTime at={data.createdAt} />
          </span>,
          <CopyText key="id" value={data.id} name="webhook id" inline />,
        ]}
        actions={
          <May permission="webhooks:write">
            {data.enabled ? <PauseWebhook projectId={projectId} webhook={data} /> : null}
            <ButtonLink href={`${list.href}/${webhookId}/edit`}>Edit</ButtonLink>
            <SendTest projectId={projectId} webhookId={webhookId} />
          </May>
        }
      />
      {data.enabled ? null : <WhyDisabled projectId={projectId} webhook={data} />}
      <HealthCard projectId={projectId} webhookId={webhookId} />
      <Deliveries
        projectId={projectId}
        webhook={data}
        beforeTheFirst={<Playground projectId={projectId} shape={webhookShape(data)} />}
      />
      <div className="grid gap-x-4 lg:grid-cols-[minmax(300px,448px)_minmax(0,1fr)]">
        <div className="min-w-0">
          <SecretCard projectId={projectId} webhook={data} />
          <EventsCard projectId={projectId} webhook={data} />
        </div>
        <Verify />
      </div>
      <May permission="webhooks:write">
        <DeleteWebhook projectId={projectId} webhook={data} />
      </May>
    </>
  )
}

/** The code samples are for once, so they are loaded when somebody asks for them; a language in the address asks too. */
function Verify() {
  const [language] = useAddressParam("code")
  const [asked, setAsked] = useState(false)
  const place = (action?: ReactNode) => (
    <Card aria-label="Verify signatures" className="self-start">
      <CardHeader title="Verify signatures" description={verifyWords} actions={action} />
    </Card>
  )
  if (!asked && !language) return place(<Button onClick={() => setAsked(true)}>Show code</Button>)
  return (
    <Suspense fallback={place()}>
      <VerifyCard />
    </Suspense>
  )
}

function SendTest({ projectId, webhookId }: { projectId: string; webhookId: string }) {
  const test = useTestWebhook()
  const [, setDelivery] = useAddressParam("delivery")
  const send = useOneAtATime(async () => {
    try {
      const { id } = await test.mutateAsync({ params: { projectId, endpointId: webhookId } })
      setDelivery(id)
      toast.success("Test event sent", { description: "The endpoint's response is shown below." })
    } catch (error) {
      toast.error("The test event was not sent", { description: error instanceof Error ? error.message : undefined })
    }
  })
  return (
    <Button variant="primary" icon={<Send />} loading={test.isPending} onClick={() => void send()}>
      Send test event
    </Button>
  )
}

function WhyDisabled({ projectId, webhook }: { projectId: string; webhook: Webhook }) {
  const { tone, tip } = webhookState(webhook, 0)
  return (
    <Callout
      tone={tone}
      title={webhook.disabledReason === "paused" ? "This webhook is paused" : "This webhook was disabled"}
      action={
        <May permission="webhooks:write">
          <PauseWebhook projectId={projectId} webhook={webhook} />
        </May>
      }
    >
      {tip} Events of that time were not kept for it; waiting deliveries that were cancelled can be replayed.
    </Callout>
  )
}

function DeleteWebhook({ projectId, webhook }: { projectId: string; webhook: Webhook }) {
  const remove = useDeleteWebhook()
  return (
    <DeleteCard
      noun="webhook"
      name={webhook.name}
      description="Its secret and delivery history are deleted with it."
      remove={() => remove.mutateAsync({ params: { projectId, endpointId: webhook.id } })}
      list={`/projects/${projectId}/webhooks`}
    >
      The endpoint gets no more events, and waiting deliveries are not retried. The signing secret and the delivery
      history are deleted. Emails and their events are kept. This cannot be undone.
    </DeleteCard>
  )
}

/** Pauses a webhook, or enables it again. */
function PauseWebhook({ projectId, webhook }: { projectId: string; webhook: Webhook }) {
  const update = useUpdateWebhook()
  const params = { projectId, endpointId: webhook.id }
  async function pause() {
    await update.mutateAsync({ params, body: { enabled: false } })
    toast.success("Paused")
  }
  async function enable() {
    try {
      await update.mutateAsync({ params, body: { enabled: true } })
      toast.success("Enabled", { description: "It receives events from now on." })
    } catch (error) {
      toast.error("It was not enabled", { description: error instanceof Error ? error.message : undefined })
    }
  }
  if (!webhook.enabled)
    return (
      <Button loading={update.isPending} onClick={() => void enable()}>
        Enable
      </Button>
    )
  return (
    <ConfirmDialog
      trigger={<Button>Pause</Button>}
      title={`Pause ${webhook.name}?`}
      action="Pause webhook"
      tone="primary"
      onConfirm={pause}
    >
      Events that happen while it is paused are not delivered later. Waiting deliveries are cancelled; you can replay
      them.
    </ConfirmDialog>
  )
}

/** The events that the webhook receives, and its filters and transformations. */
function EventsCard({ projectId, webhook }: { projectId: string; webhook: Webhook }) {
  const { events, filters = [], transformations = [] } = webhook
  const left = offeredEvents.filter((type) => !events.includes(type))
  return (
    <Card aria-label="Events">
      <CardHeader
        title="Events"
        description={`${events.length} of ${events.length + left.length} types`}
        actions={
          <May permission="webhooks:write">
            <ButtonLink href={`/projects/${projectId}/webhooks/${webhook.id}/edit`}>Change</ButtonLink>
          </May>
        }
      />
      <CardBody>
        <ul aria-label="Subscribed events" className="grid gap-1 sm:grid-cols-2">
          {events.map((type) => (
            <li key={type} className="flex min-w-0 items-center gap-2">
              <Check aria-hidden="true" className="size-4 shrink-0 text-good" />
              <code className="truncate">{type}</code>
            </li>
          ))}
        </ul>
        {left.length ? (
          <p className="mt-3 text-muted" title={left.join(", ")}>
            {left.length} other {left.length === 1 ? "type is" : "types are"} not sent.
          </p>
        ) : null}
        <Lines
          title="Filters"
          none="No filters: every event of these types is sent."
          lines={filters.map(filterWords)}
        />
        <Lines
          title="Transformations"
          none="No transformations: events are sent as they are."
          lines={transformations.map(transformationWords)}
        />
      </CardBody>
    </Card>
  )
}

function Lines({ title, none, lines }: { title: string; none: string; lines: string[] }) {
  if (!lines.length) return <p className="mt-3 text-muted">{none}</p>
  return (
    <div className="mt-3">
      <h3 className="text-xs font-medium text-muted">{title}</h3>
      <ol className="mt-1 grid gap-0.5">
        {lines.map((line, index) => (
          <li key={index}>
            <code className="[overflow-wrap:anywhere]">{line}</code>
          </li>
        ))}
      </ol>
    </div>
  )
}

const operators: Record<EventFilter["operator"], string> = {
  eq: "is",
  neq: "is not",
  contains: "contains",
  exists: "exists",
}

/** A filter as a line: "data.to contains @acme.com". */
function filterWords({ field, operator, value }: EventFilter): string {
  return [field, operators[operator], operator === "exists" ? "" : quoted(value)].filter(Boolean).join(" ")
}

/** A transformation as a line: "rename data.to to data.recipient". */
function transformationWords({ type, field, from, to, template, value }: Transformation): string {
  if (type === "rename_field") return `rename ${from} to ${to}`
  if (type === "remove_field") return `remove ${field}`
  if (type === "add_field") return `add ${field} = ${quoted(value)}`
  return `compute ${field} = ${quoted(template)}`
}

function quoted(value: string | null | undefined): string {
  return JSON.stringify(value ?? null)
}
