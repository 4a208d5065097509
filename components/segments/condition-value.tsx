"use client"

import { Input } from "@/components/ui/input"
import { Select } from "@/components/ui/select"
import { choices, daysMax, valueCharsMax, type Condition } from "@/lib/segments/rules"

type ConditionValueProps = { condition: Condition; onChange: (condition: Condition) => void; invalid: boolean }

/** What a condition compares with, as its field and operator need it. */
export function ConditionValue({ condition, onChange, invalid }: ConditionValueProps) {
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
