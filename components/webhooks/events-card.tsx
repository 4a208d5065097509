"use client"

import { Check } from "lucide-react"
import { May } from "@/components/access/powers"
import { ButtonLink } from "@/components/ui/button"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { offeredEvents } from "@/components/webhooks/event-words"
import type { Webhook } from "@/components/webhooks/queries"
import type { Filter, Transformation } from "@/lib/webhooks/rules"

/** The events that the webhook receives, and its filters and transformations. */
export function EventsCard({ projectId, webhook }: { projectId: string; webhook: Webhook }) {
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

const operators: Record<Filter["operator"], string> = {
  eq: "is",
  neq: "is not",
  contains: "contains",
  exists: "exists",
}

/** A filter as a line: "data.to contains @acme.com". */
function filterWords({ field, operator, value }: Filter): string {
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
