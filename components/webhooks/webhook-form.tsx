"use client"

import { useState } from "react"
import { Form, FormRefusal } from "@/components/data/form"
import { trimmed } from "@/components/data/form-rules"
import { ApiProblem } from "@/components/data/problem"
import { usePageForm } from "@/components/data/use-page-form"
import { Button, ButtonLink } from "@/components/ui/button"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { Columns } from "@/components/ui/columns"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import type { Filter, Transformation, WebhookEvent } from "@/lib/webhooks/rules"
import { EventPicker } from "@/components/webhooks/event-picker"
import { FiltersEditor } from "@/components/webhooks/filters-editor"
import { Playground } from "@/components/webhooks/playground"
import { TransformationsEditor } from "@/components/webhooks/transformations-editor"

export type WebhookValues = {
  name: string
  url: string
  events: WebhookEvent[]
  filters: Filter[]
  transformations: Transformation[]
}

type WebhookFormProps = {
  projectId: string
  initial: WebhookValues
  action: string
  refusal: string
  /** Where Cancel leads. */
  back: string
  save: (values: WebhookValues) => Promise<void>
}

export function WebhookForm({ projectId, initial, action, refusal, back, save }: WebhookFormProps) {
  const [events, setEvents] = useState(initial.events)
  const [filters, setFilters] = useState(initial.filters)
  const [transformations, setTransformations] = useState(initial.transformations)
  const [asked, setAsked] = useState(false)
  const form = usePageForm({
    leaves: true,
    schema: () => import("@/lib/webhooks/schema").then(({ WebhookChange }) => WebhookChange.pick({ url: true })),
    defaultValues: { name: initial.name, url: initial.url },
    async save({ name, url }) {
      setAsked(true)
      if (!events.length) throw new ApiProblem(noEvents)
      await save({ name, url, events, filters, transformations })
    },
  })
  return (
    <Form form={form}>
      <Columns className="lg:grid-cols-[minmax(0,1fr)_minmax(320px,448px)]">
        <div className="min-w-0">
          <Card aria-label="Endpoint">
            <CardBody>
              <Field
                label="Endpoint URL"
                hint="A public https address of your server. It gets each event as a POST request."
                error={form.faultOf("url")}
              >
                <Input
                  type="url"
                  mono
                  autoComplete="off"
                  spellCheck={false}
                  placeholder="https://example.com/hooks/mailroom"
                  {...form.input("url", trimmed)}
                />
              </Field>
              <Field label="Name" optional hint="Defaults to the host of the URL." error={form.faultOf("name")}>
                <Input
                  maxLength={200}
                  autoComplete="off"
                  placeholder="Order service"
                  {...form.input("name", trimmed)}
                />
              </Field>
            </CardBody>
          </Card>
          <Card aria-label="Events">
            <CardHeader title="Events" description="The events that the endpoint receives." />
            <CardBody>
              <EventPicker
                value={events}
                onChange={setEvents}
                error={asked && !events.length ? noEvents.detail : undefined}
              />
            </CardBody>
          </Card>
          <Card aria-label="Filters">
            <CardHeader
              title="Filters"
              description="Only events that pass all of them are sent. Fields are paths into the event, compared as text."
            />
            <CardBody>
              <FiltersEditor value={filters} onChange={setFilters} />
            </CardBody>
          </Card>
          <Card aria-label="Transformations">
            <CardHeader
              title="Transformations"
              description="Changes to the body, one after the other, before it is signed."
            />
            <CardBody>
              <TransformationsEditor value={transformations} onChange={setTransformations} />
            </CardBody>
          </Card>
          <FormRefusal form={form} title={refusal} />
          <div className="mb-4 flex flex-row-reverse gap-2">
            <Button type="submit" variant="primary" loading={form.saving}>
              {action}
            </Button>
            <ButtonLink href={back}>Cancel</ButtonLink>
          </div>
        </div>
        <div className="min-w-0">
          <Playground projectId={projectId} shape={{ events, ...completeOf(filters, transformations) }} />
        </div>
      </Columns>
    </Form>
  )
}

const noEvents = {
  type: "about:blank",
  code: "request.invalid",
  status: 400,
  title: "No event type is chosen",
  detail: "Choose at least one event type.",
}

/** Without lines that are still being typed. */
function completeOf(filters: readonly Filter[], transformations: readonly Transformation[]) {
  return {
    filters: filters.filter(({ field }) => field !== ""),
    transformations: transformations.filter(({ field, from, to }) => [field, from, to].every((path) => path !== "")),
  }
}
