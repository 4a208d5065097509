"use client"

import { X } from "lucide-react"
import { IconButton } from "@/components/ui/icon-button"
import { Select } from "@/components/ui/select"
import { engagementEvents, type Condition } from "@/lib/segments/rules"
import { ConditionValue } from "@/components/segments/condition-value"
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
        <ConditionValue condition={condition} onChange={onChange} invalid={invalid} />
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
