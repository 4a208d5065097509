"use client"

import { Plus, X } from "lucide-react"
import { controlId, type KeptDraft } from "@/components/compose/drafts"
import { type Pair, type TrackingName, trackingNames } from "@/components/compose/fields"
import { Button, IconButton } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Select } from "@/components/ui/select"

/** What of a send is seldom asked for. */
export default function MoreFields({ draft }: { draft: KeptDraft }) {
  return (
    <>
      <Sending draft={draft} />
      <Labels draft={draft} />
    </>
  )
}

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

/** What a project says of unsubscribing decides nothing: a topic, a segment or the category of the email does. */
const choicesOf = (name: TrackingName) => [
  { value: "", label: name === "unsubscribeTracking" ? "By category" : "As the project does" },
  { value: "on", label: "On" },
  { value: "off", label: "Off" },
]

function Sending({ draft: { fields, change, errorOf } }: { draft: KeptDraft }) {
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
        <Field
          key={name}
          label={trackingWords[name]}
          id={name === trackingNames[0] ? controlId("tracking") : undefined}
          error={name === trackingNames[0] ? errorOf("tracking") : undefined}
        >
          <Select
            options={choicesOf(name)}
            value={fields.tracking[name]}
            onChange={({ target: { value } }) => {
              if (value === "" || value === "on" || value === "off")
                change({ tracking: { ...fields.tracking, [name]: value } })
            }}
          />
        </Field>
      ))}
      <Field label="Delivery window from" id={controlId("windowStart")} error={errorOf("windowStart")} optional>
        <Input
          type="datetime-local"
          value={fields.windowStart}
          onChange={({ target }) => change({ windowStart: target.value })}
        />
      </Field>
      <Field label="Delivery window to" id={controlId("windowEnd")} error={errorOf("windowEnd")} optional>
        <Input
          type="datetime-local"
          value={fields.windowEnd}
          onChange={({ target }) => change({ windowEnd: target.value })}
        />
      </Field>
      <Field
        label="Give up after"
        id={controlId("giveUpHours")}
        error={errorOf("giveUpHours")}
        hint="Hours without success; 72 by default."
        optional
      >
        <Input
          type="number"
          min={0.02}
          max={72}
          step="any"
          value={fields.giveUpHours}
          onChange={({ target }) => change({ giveUpHours: target.value })}
        />
      </Field>
      <Field
        label="Idempotency key"
        id={controlId("idempotencyKey")}
        error={errorOf("idempotencyKey")}
        hint="An email with the same key is sent only once."
        optional
      >
        <Input
          autoComplete="off"
          spellCheck={false}
          value={fields.idempotencyKey}
          onChange={({ target }) => change({ idempotencyKey: target.value })}
        />
      </Field>
    </div>
  )
}

const pairs = [
  {
    field: "headers",
    legend: "Headers",
    noun: "header",
    hint: "Additional message headers. Headers that the service sets are refused.",
  },
  { field: "tags", legend: "Tags", noun: "tag", hint: "For your own metrics; not visible to recipients." },
  {
    field: "metadata",
    legend: "Metadata",
    noun: "entry",
    hint: "Returned with the email and its events; not visible to recipients.",
  },
] as const

function Labels({ draft: { fields, change, errorOf } }: { draft: KeptDraft }) {
  return pairs.map(({ field, ...words }) => (
    <Pairs
      key={field}
      id={controlId(field)}
      {...words}
      value={fields[field]}
      onChange={(value) => change({ [field]: value })}
      error={errorOf(field)}
    />
  ))
}

type PairsProps = {
  /** Of the button that adds one. */
  id: string
  legend: string
  hint: string
  /** What one of them is called: "header". */
  noun: string
  value: Pair[]
  onChange: (value: Pair[]) => void
  error?: string
}

/** Names with values, in rows that can be added and removed. */
function Pairs({ id, legend, hint, noun, value, onChange, error }: PairsProps) {
  const update = (index: number, part: Partial<Pair>) =>
    onChange(value.map((pair, at) => (at === index ? { ...pair, ...part } : pair)))
  const about = error ? `${id}-error` : `${id}-hint`
  return (
    <fieldset className="mb-4 min-w-0" aria-describedby={about}>
      <legend className="text-sm font-medium">{legend}</legend>
      <p id={`${id}-hint`} className="mb-1.5 text-sm text-muted">
        {hint}
      </p>
      {value.map((pair, index) => (
        <div key={index} className="mb-2 grid grid-cols-[1fr_1.5fr_auto] gap-2">
          <Input
            aria-label={`Name of ${noun} ${index + 1}`}
            aria-invalid={error ? true : undefined}
            placeholder="Name"
            value={pair.name}
            // A row that was just added is typed into.
            autoFocus={pair.name === "" && pair.value === ""}
            onChange={({ target }) => update(index, { name: target.value })}
          />
          <Input
            aria-label={`Value of ${noun} ${index + 1}`}
            aria-invalid={error ? true : undefined}
            placeholder="Value"
            value={pair.value}
            onChange={({ target }) => update(index, { value: target.value })}
          />
          <IconButton
            label={`Remove ${noun} ${index + 1}`}
            icon={<X />}
            onClick={() => {
              onChange(value.filter((_, at) => at !== index))
              document.getElementById(id)?.focus()
            }}
          />
        </div>
      ))}
      <Button id={id} size="small" icon={<Plus />} onClick={() => onChange([...value, { name: "", value: "" }])}>
        Add {noun}
      </Button>
      {error ? (
        <p id={`${id}-error`} role="alert" className="mt-1.5 text-sm text-bad">
          {error}
        </p>
      ) : null}
    </fieldset>
  )
}
