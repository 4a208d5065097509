"use client"

import { useOpenedAt } from "@/components/ui/relative-time"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useMemo, useState, type ReactNode } from "react"
import { problemOf } from "@/components/data/call"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { CodeBlock, pretty } from "@/components/ui/code-block"
import { relativeWords } from "@/components/ui/time-words"
import { Segmented } from "@/components/ui/segmented"
import { Select } from "@/components/ui/select"
import { SkeletonRows } from "@/components/ui/loading"
import { useSettled } from "@/components/ui/input"
import { webhookPreviewQuery, type Previewed, type Shape } from "@/components/webhooks/queries"

/** What the webhook would make of real past events, as it is being edited. */
export function Playground({ projectId, shape }: { projectId: string; shape: Shape }) {
  // As text, since every stroke makes another object.
  const text = useSettled(JSON.stringify(shape))
  const settled = useMemo(() => JSON.parse(text) as Shape, [text])
  const { data, error, isPending } = useQuery({
    ...webhookPreviewQuery(projectId, settled),
    placeholderData: keepPreviousData,
  })
  return (
    <Card aria-label="Try it on past events" className="lg:sticky lg:top-6">
      <CardHeader title="Try it on past events" description="Nothing is sent." />
      {settled.events.length === 0 ? (
        <Note>Choose at least one event type.</Note>
      ) : error ? (
        <Note>{problemOf(error).detail ?? problemOf(error).title}</Note>
      ) : isPending ? (
        <SkeletonRows rows={6} label="Loading past events" />
      ) : data.data.length ? (
        <Tried events={data.data} shape={settled} />
      ) : (
        <Note>
          None of this project&apos;s latest events has one of these types. Send an email, then try its events here.
        </Note>
      )}
    </Card>
  )
}

function Note({ children }: { children: ReactNode }) {
  return <p className="px-4 py-6 text-muted">{children}</p>
}

function Tried({ events, shape }: { events: Previewed[]; shape: Shape }) {
  const now = useOpenedAt()
  const [chosen, setChosen] = useState<string>()
  const [side, setSide] = useState<"body" | "payload">("body")
  const event = events.find(({ eventId }) => eventId === chosen) ?? events[0]
  if (!event) return null
  return (
    <CardBody className="grid gap-3">
      <Select
        aria-label="Past event"
        value={event.eventId}
        onChange={({ target }) => setChosen(target.value)}
        options={events.map((one) => ({
          value: one.eventId,
          label: `${one.type}, ${relativeWords(Date.parse(one.occurredAt), now)}${one.delivered ? "" : one.failure ? " (fails)" : " (excluded)"}`,
        }))}
      />
      <p aria-live="polite" className={event.delivered ? "text-good" : "text-warn"}>
        {event.delivered ? "It would be sent." : (event.failure ?? leftOutWords(event, shape))}
      </p>
      <Segmented
        label="What is shown"
        value={side}
        onChange={setSide}
        options={[
          { value: "body", label: "Body to send" },
          { value: "payload", label: "Event" },
        ]}
      />
      <CodeBlock
        code={event[side]}
        name={side === "body" ? "body" : "event"}
        className={side === "body" && !event.delivered ? "opacity-60" : undefined}
      >
        {pretty(event[side])}
      </CodeBlock>
    </CardBody>
  )
}

function leftOutWords({ failingFilter = 0 }: Previewed, { filters = [] }: Shape): string {
  const field = filters[failingFilter]?.field ?? ""
  return `Filter ${failingFilter + 1} excludes it. Check ${field} in the event.`
}
