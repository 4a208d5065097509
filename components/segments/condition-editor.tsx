"use client"

import { X } from "lucide-react"
import { IconButton } from "@/components/ui/icon-button"
import { Input } from "@/components/ui/input"
import { Select } from "@/components/ui/select"
import { choices, daysMax, engagementEvents, valueCharsMax, type Condition } from "@/lib/segments/rules"
import {
  conditionOn,
  eventWords,
  fieldChoices,
  fieldOf,
  operatorChoices,
  withOperator,
  type Known,
} from "@/components/segments/conditions"

type ConditionEditorProps = {
  condition: Condition
  onChange: (condition: Condition) => void
  onRemove?: () => void
  known: Known
  invalid: boolean
}

/** One condition as a line: field, operator and value. */
export function ConditionEditor({ condition, onChange, onRemove, known, invalid }: ConditionEditorProps) {
  const operators = operatorChoices(condition, known)
  return (
    <div className="flex items-start gap-2">
      <div className="grid min-w-0 flex-1 gap-2 sm:flex">
        <Select
          aria-label="Field"
          className="sm:w-44 sm:shrink-0"
          value={fieldOf(condition)}
          onChange={({ target }) => onChange(conditionOn(target.value, known))}
        >
          {fieldChoices(known).map(({ group, choices: fields }) => (
            <optgroup key={group} label={group}>
              {fields.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </optgroup>
          ))}
          {isKnown(condition, known) ? null : (
            <option value={fieldOf(condition)}>{fieldOf(condition).replace("property:", "")} (deleted)</option>
          )}
        </Select>
        <Subject condition={condition} onChange={onChange} known={known} />
        {operators.length > 1 ? (
          <Select
            aria-label="Comparison"
            className="sm:w-44 sm:shrink-0"
            value={condition.operator}
            options={operators}
            onChange={({ target }) => onChange(withOperator(condition, target.value, known))}
          />
        ) : null}
        <Value condition={condition} onChange={onChange} invalid={invalid} />
      </div>
      {onRemove ? <IconButton label="Remove this condition" icon={<X />} onClick={onRemove} /> : null}
    </div>
  )
}

function isKnown(condition: Condition, { properties, topics }: Known): boolean {
  if (condition.field === "property") return properties.some(({ key }) => key === condition.key)
  return condition.field !== "topic" || topics.length > 0
}

type Part = { condition: Condition; onChange: (condition: Condition) => void }

/** What the field alone does not say: which topic, which event. */
function Subject({ condition, onChange, known }: Part & { known: Known }) {
  if (condition.field === "topic") {
    const options = known.topics.map(({ id, name }) => ({ value: id, label: name }))
    return (
      <Select
        aria-label="Topic"
        value={condition.topicId}
        onChange={({ target }) => onChange({ ...condition, topicId: target.value })}
        options={options}
      >
        {options.some(({ value }) => value === condition.topicId) ? null : (
          <option value={condition.topicId}>A deleted topic</option>
        )}
      </Select>
    )
  }
  if (condition.field !== "engagement") return null
  return (
    <Select
      aria-label="What happened"
      value={condition.event}
      options={engagementEvents.map((value) => ({ value, label: eventWords[value] }))}
      onChange={({ target }) =>
        onChange({ ...condition, event: engagementEvents.find((one) => one === target.value) ?? condition.event })
      }
    />
  )
}

function Value({ condition, onChange, invalid }: Part & { invalid: boolean }) {
  if ("days" in condition) {
    return (
      <label className="flex items-center gap-2 whitespace-nowrap text-muted">
        <Input
          type="number"
          aria-label="Days"
          className="w-20 tabular-nums"
          min={1}
          max={daysMax}
          value={condition.days}
          aria-invalid={invalid || undefined}
          onChange={({ target }) =>
            onChange({ ...condition, days: Math.min(daysMax, Math.max(1, Math.trunc(target.valueAsNumber) || 1)) })
          }
        />
        days
      </label>
    )
  }
  if (!("value" in condition) || condition.value === undefined) return null
  if (condition.field === "unsubscribed")
    return (
      <Choice
        condition={condition}
        values={[
          ["true", "yes"],
          ["false", "no"],
        ]}
        onChoice={(value) => onChange({ ...condition, value: value === "true" })}
      />
    )
  if (condition.field === "topic") {
    return (
      <Choice
        condition={condition}
        values={[
          ["opt_in", "opted in"],
          ["opt_out", "opted out"],
        ]}
        onChoice={(value) => onChange({ ...condition, value: value as "opt_in" })}
      />
    )
  }
  if (condition.field === "validationStatus" || condition.field === "engagementTier") {
    return (
      <Choice
        condition={condition}
        values={choices[condition.field].map((one) => [one, one])}
        onChoice={(value) => onChange({ ...condition, value })}
      />
    )
  }
  if (condition.field === "createdAt" || condition.field === "updatedAt") {
    return (
      <Input
        type="date"
        aria-label="Day, in UTC"
        className="tabular-nums"
        value={condition.value.slice(0, 10)}
        onChange={({ target }) => target.value && onChange({ ...condition, value: `${target.value}T00:00:00Z` })}
      />
    )
  }
  const number = typeof condition.value === "number"
  return (
    <Input
      type={number ? "number" : "text"}
      step="any"
      aria-label="Value"
      maxLength={valueCharsMax}
      value={condition.value}
      aria-invalid={invalid || undefined}
      spellCheck={false}
      onChange={({ target }) =>
        onChange({ ...condition, value: number ? target.valueAsNumber || 0 : target.value } as Condition)
      }
    />
  )
}

type ChoiceProps = {
  condition: Condition & { value?: unknown }
  values: (readonly [string, string])[]
  onChoice: (value: string) => void
}

function Choice({ condition, values, onChoice }: ChoiceProps) {
  return (
    <Select
      aria-label="Value"
      value={String(condition.value)}
      options={values.map(([value, label]) => ({ value, label }))}
      onChange={({ target }) => onChoice(target.value)}
    />
  )
}
