"use client"

import { Card, CardBody } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Select } from "@/components/ui/select"
import { controlId, type Draft } from "./draft"
import { trackingNames, type Fields, type TrackingName } from "./fields"
import { Pairs } from "./pairs"

type MoreCardProps = { draft: Draft; open: boolean; onOpen: (open: boolean) => void }

/** The rest of what the API takes; closed until somebody wants it, or until a fault lies in it. */
export function MoreCard({ draft, open, onOpen }: MoreCardProps) {
  return (
    <Card aria-label="More fields">
      <details open={open} onToggle={({ currentTarget }) => onOpen(currentTarget.open)}>
        <summary className="cursor-pointer px-4 py-3 font-semibold -outline-offset-2">
          More fields <span className="font-normal text-muted">category, tracking, headers, tags, delivery window</span>
        </summary>
        <CardBody className="border-t border-line">
          <Sending draft={draft} />
          <Labels draft={draft} />
        </CardBody>
      </details>
    </Card>
  )
}

/** Fields that stand here: a fault in one of them opens the card. */
export const moreFields: ReadonlySet<keyof Fields> = new Set([
  "replyTo",
  "sendTimeCategory",
  "tracking",
  "windowStart",
  "windowEnd",
  "giveUpHours",
  "idempotencyKey",
  "headers",
  "tags",
  "metadata",
])

const categories = [
  { value: "transactional", label: "Transactional" },
  { value: "notification", label: "Notification" },
  { value: "marketing", label: "Marketing" },
  { value: "digest", label: "Digest" },
] as const

const trackingWords: Record<TrackingName, string> = {
  openTracking: "Track opens",
  clickTracking: "Track clicks",
  readEngagement: "Track reading",
  unsubscribeTracking: "Unsubscribe header and link",
}

const choices = [
  { value: "", label: "As usual" },
  { value: "on", label: "On" },
  { value: "off", label: "Off" },
]

function Sending({ draft: { fields, change, errorOf } }: { draft: Draft }) {
  return (
    <div className="mb-4 grid items-start gap-x-4 sm:grid-cols-2">
      <Field label="Reply to" id={controlId("replyTo")} error={errorOf("replyTo")} optional>
        <Input autoComplete="off" value={fields.replyTo} onChange={({ target }) => change({ replyTo: target.value })} />
      </Field>
      <Field label="Category" id={controlId("sendTimeCategory")} error={errorOf("sendTimeCategory")}>
        <Select
          options={[...categories]}
          value={fields.sendTimeCategory}
          onChange={({ target }) => {
            const chosen = categories.find(({ value }) => value === target.value)
            if (chosen) change({ sendTimeCategory: chosen.value })
          }}
        />
      </Field>
      {trackingNames.map((name) => (
        <Field key={name} label={trackingWords[name]} id={name === trackingNames[0] ? controlId("tracking") : undefined} error={name === trackingNames[0] ? errorOf("tracking") : undefined}>
          <Select
            options={choices}
            value={fields.tracking[name]}
            onChange={({ target: { value } }) => {
              if (value === "" || value === "on" || value === "off") change({ tracking: { ...fields.tracking, [name]: value } })
            }}
          />
        </Field>
      ))}
      <Field label="Delivery window from" id={controlId("windowStart")} error={errorOf("windowStart")} optional>
        <Input type="datetime-local" value={fields.windowStart} onChange={({ target }) => change({ windowStart: target.value })} />
      </Field>
      <Field label="Delivery window to" id={controlId("windowEnd")} error={errorOf("windowEnd")} optional>
        <Input type="datetime-local" value={fields.windowEnd} onChange={({ target }) => change({ windowEnd: target.value })} />
      </Field>
      <Field label="Give up after" id={controlId("giveUpHours")} error={errorOf("giveUpHours")} hint="Hours without success; 72 where nothing is said." optional>
        <Input type="number" min={0.02} max={72} step="any" value={fields.giveUpHours} onChange={({ target }) => change({ giveUpHours: target.value })} />
      </Field>
      <Field label="Idempotency key" id={controlId("idempotencyKey")} error={errorOf("idempotencyKey")} hint="A send with the same key is made once, for ever." optional>
        <Input autoComplete="off" spellCheck={false} value={fields.idempotencyKey} onChange={({ target }) => change({ idempotencyKey: target.value })} />
      </Field>
    </div>
  )
}

const pairs = [
  { field: "headers", legend: "Headers", noun: "header", hint: "Further headers of the message. Those that the service sets are refused." },
  { field: "tags", legend: "Tags", noun: "tag", hint: "For your own figures; the recipient does not see them." },
  { field: "metadata", legend: "Metadata", noun: "entry", hint: "Comes back with the email and its events; the recipient does not see it." },
] as const

function Labels({ draft: { fields, change, errorOf } }: { draft: Draft }) {
  return pairs.map(({ field, ...words }) => (
    <Pairs key={field} id={controlId(field)} {...words} value={fields[field]} onChange={(value) => change({ [field]: value })} error={errorOf(field)} />
  ))
}
