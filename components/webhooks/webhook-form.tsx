"use client"

import { Plus, X } from "lucide-react"
import { type ReactNode, useId, useState } from "react"
import { ApiProblem } from "@/components/data/call"
import { Form, FormRefusal, trimmed } from "@/components/data/form"
import { usePageForm } from "@/components/late-parts/use-page-form"
import { Button, ButtonLink, IconButton } from "@/components/ui/button"
import { Card, CardBody, CardHeader, Columns } from "@/components/ui/card"
import { Checkbox } from "@/components/ui/checkbox"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { useStay } from "@/components/ui/leaving"
import { Select } from "@/components/ui/select"
import { deliveryNotReported, eventGroups } from "@/components/webhooks/event-words"
import { Playground } from "@/components/webhooks/playground"
import {
  companions,
  type EventFilter,
  filterOperators,
  type Transformation,
  transformationTypes,
  type WebhookEvent,
} from "@/lib/webhooks/rules"

type WebhookValues = {
  name: string
  url: string
  events: WebhookEvent[]
  filters: EventFilter[]
  transformations: Transformation[]
}

type WebhookFormProps = {
  projectId: string
  /** When email of the project's region counts as delivered. */
  delivered: string
  initial: WebhookValues
  action: string
  refusal: string
  /** Where Cancel leads. */
  back: string
  save: (values: WebhookValues) => Promise<void>
}

export function WebhookForm({ projectId, delivered, initial, action, refusal, back, save }: WebhookFormProps) {
  const [first] = useState(initial)
  const [events, setEvents] = useState(first.events)
  const [filters, setFilters] = useState(first.filters)
  const [transformations, setTransformations] = useState(first.transformations)
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
  const isChanged = events !== first.events || filters !== first.filters || transformations !== first.transformations
  useStay(isChanged && !form.saving)
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
                delivered={delivered}
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
function completeOf(filters: readonly EventFilter[], transformations: readonly Transformation[]) {
  return {
    filters: filters.filter(({ field }) => field !== ""),
    transformations: transformations.filter(({ field, from, to }) => [field, from, to].every((path) => path !== "")),
  }
}

type EventPickerProps = {
  value: readonly WebhookEvent[]
  delivered: string
  onChange: (value: WebhookEvent[]) => void
  error?: string | undefined
}

/** Event types by area; the box of an area takes all of it. */
function EventPicker({ value, delivered, onChange, error }: EventPickerProps) {
  const id = useId()
  const change = (types: readonly WebhookEvent[], on: boolean) =>
    onChange(on ? [...new Set([...value, ...types])] : value.filter((one) => !types.includes(one)))
  return (
    <fieldset className="min-w-0" aria-describedby={error ? id : undefined}>
      <legend className="sr-only">Events</legend>
      <div className="divide-y divide-line rounded-md border border-line">
        {eventGroups.map(({ area, events }) => {
          const types = events.map(({ type }) => type)
          const chosen = types.filter((type) => value.includes(type)).length
          return (
            <div key={area} role="group" aria-label={area} className="px-3 py-2.5">
              <Checkbox
                label={
                  <>
                    <span className="font-medium">{area}</span>
                    <span className="ml-2 text-muted tabular-nums">
                      {chosen} of {types.length}
                    </span>
                  </>
                }
                checked={chosen === types.length}
                indeterminate={chosen > 0 && chosen < types.length}
                onChange={({ target }) => change(types, target.checked)}
              />
              <div className="mt-2 grid gap-x-4 gap-y-2 pl-6 sm:grid-cols-2">
                {events.map(({ type, what }) => (
                  <Checkbox
                    key={type}
                    label={<code>{type}</code>}
                    hint={type === "email.delivered" && delivered === "never" ? deliveryNotReported : what}
                    checked={value.includes(type)}
                    onChange={({ target }) => change([type], target.checked)}
                  />
                ))}
              </div>
            </div>
          )
        })}
      </div>
      {error ? (
        <p id={id} className="mt-1.5 text-sm text-bad">
          {error}
        </p>
      ) : null}
    </fieldset>
  )
}

type FiltersEditorProps = {
  value: readonly EventFilter[]
  onChange: (value: EventFilter[]) => void
  error?: string | undefined
}

const operatorWords: Record<EventFilter["operator"], string> = {
  eq: "is",
  neq: "is not",
  contains: "contains",
  exists: "exists",
}

/** Conditions on the event, all of which must hold. */
function FiltersEditor({ value, onChange, error }: FiltersEditorProps) {
  return (
    <LineList
      noun="filter"
      value={value}
      onChange={onChange}
      error={error}
      fresh={{ field: "data.to", operator: "contains", value: "" }}
    >
      {({ field, operator, value: text }, change) => (
        <>
          <Input
            mono
            aria-label="Field"
            placeholder="data.to"
            spellCheck={false}
            className="sm:w-44 sm:shrink-0"
            value={field}
            onChange={({ target }) =>
              change({ field: target.value, operator, ...(text !== undefined && { value: text }) })
            }
          />
          <Select
            aria-label="Comparison"
            className="sm:w-32 sm:shrink-0"
            value={operator}
            options={filterOperators.map((one) => ({ value: one, label: operatorWords[one] }))}
            onChange={({ target }) => {
              const next = filterOperators.find((one) => one === target.value) ?? operator
              change(next === "exists" ? { field, operator: next } : { field, operator: next, value: text ?? "" })
            }}
          />
          {operator === "exists" ? null : (
            <Input
              aria-label="Value"
              placeholder="@acme.com"
              value={text ?? ""}
              onChange={({ target }) => change({ field, operator, value: target.value })}
            />
          )}
        </>
      )}
    </LineList>
  )
}

type TransformationsEditorProps = {
  value: readonly Transformation[]
  onChange: (value: Transformation[]) => void
  error?: string | undefined
}

const typeWords: Record<Transformation["type"], string> = {
  rename_field: "Rename field",
  add_field: "Add field",
  remove_field: "Remove field",
  compute_field: "Compute field",
}

type Part = "from" | "to" | "field" | "value" | "template"

const partWords: Record<Part, { label: string; placeholder: string; mono: boolean }> = {
  from: { label: "Old field", placeholder: "data.to", mono: true },
  to: { label: "New field", placeholder: "data.recipient", mono: true },
  field: { label: "Field", placeholder: "data.source", mono: true },
  value: { label: "Value", placeholder: "mailroom", mono: false },
  template: { label: "Template", placeholder: "{{data.to}} ({{type}})", mono: true },
}

/** Changes to the body, in their order. */
function TransformationsEditor({ value, onChange, error }: TransformationsEditorProps) {
  return (
    <LineList noun="transformation" value={value} onChange={onChange} error={error} fresh={freshOf("rename_field")}>
      {(line, change) => (
        <>
          <Select
            aria-label="Kind"
            className="sm:w-40 sm:shrink-0"
            value={line.type}
            options={transformationTypes.map((one) => ({ value: one, label: typeWords[one] }))}
            onChange={({ target }) => {
              const type = transformationTypes.find((one) => one === target.value) ?? line.type
              change(freshOf(type, line))
            }}
          />
          {partsOf(line.type).map((part) => (
            <Input
              key={part}
              mono={partWords[part].mono}
              aria-label={partWords[part].label}
              placeholder={partWords[part].placeholder}
              spellCheck={false}
              value={line[part] ?? ""}
              onChange={({ target }) => change({ ...line, [part]: target.value })}
            />
          ))}
        </>
      )}
    </LineList>
  )
}

function partsOf(type: Transformation["type"]): Part[] {
  return companions[type].filter((name): name is Part => name !== "type")
}

/** The fields that belong to this kind, with what was typed in those that stay. */
function freshOf(type: Transformation["type"], before?: Transformation): Transformation {
  return { type, ...Object.fromEntries(partsOf(type).map((part) => [part, before?.[part] ?? ""])) }
}

type LineListProps<Line> = {
  /** What one line is: "filter". */
  noun: string
  value: readonly Line[]
  onChange: (value: Line[]) => void
  fresh: Line
  error?: string | undefined
  children: (line: Line, change: (line: Line) => void, index: number) => ReactNode
}

const linesMax = 20

/** Lines of fields that are added and removed one by one. */
function LineList<Line>({ noun, value, onChange, fresh, error, children }: LineListProps<Line>) {
  const put = (index: number, line: Line) => onChange(value.map((one, at) => (at === index ? line : one)))
  return (
    <div className="grid gap-2">
      {value.map((line, index) => (
        <div key={index} role="group" aria-label={`${capital(noun)} ${index + 1}`} className="flex items-start gap-2">
          <div className="grid min-w-0 flex-1 gap-2 sm:flex">{children(line, (next) => put(index, next), index)}</div>
          <IconButton
            label={`Remove ${noun} ${index + 1}`}
            icon={<X />}
            onClick={() => onChange(value.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      {error ? <p className="text-sm text-bad">{error}</p> : null}
      {value.length < linesMax ? (
        <div>
          <Button size="small" icon={<Plus />} onClick={() => onChange([...value, fresh])}>
            Add {noun}
          </Button>
        </div>
      ) : null}
    </div>
  )
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
