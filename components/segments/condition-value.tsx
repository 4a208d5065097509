"use client"

import { useQuery } from "@tanstack/react-query"
import { type ComponentProps, useId, useState } from "react"
import { type Known, propertyTypeOf } from "@/components/segments/conditions"
import { propertyValuesQuery } from "@/components/segments/queries"
import { Input } from "@/components/ui/input"
import { Select } from "@/components/ui/select"
import { formatNumber } from "@/lib/platform/format"
import { choices, type Condition, daysMax, filterValueCharsMax } from "@/lib/segments/rules"

type NamedProps = {
  label: "Topic" | "Segment"
  value: string
  among: readonly { id: string; name: string }[]
  onChoice: (id: string) => void
}

export function Named({ label, value, among, onChoice }: NamedProps) {
  return (
    <Select
      aria-label={label}
      value={value}
      onChange={({ target }) => onChoice(target.value)}
      options={among.map(({ id, name }) => ({ value: id, label: name }))}
    >
      {among.some(({ id }) => id === value) ? null : <option value={value}>A deleted {label.toLowerCase()}</option>}
    </Select>
  )
}

type ConditionValueProps = {
  condition: Condition
  known: Known
  onChange: (condition: Condition) => void
  invalid: boolean
}

/** What a condition compares with, as its field and operator need it. */
export function ConditionValue({ condition, known, onChange, invalid }: ConditionValueProps) {
  const type = condition.field === "property" ? propertyTypeOf(condition, known.properties) : "string"
  if (condition.field === "segment")
    return (
      <Named
        label="Segment"
        value={condition.segmentId}
        among={known.segments}
        onChoice={(segmentId) => onChange({ ...condition, segmentId })}
      />
    )
  if ("days" in condition) {
    return (
      <label className="flex items-center gap-2 whitespace-nowrap text-muted">
        <Input
          type="number"
          aria-label="Days"
          className="w-20 tabular-nums"
          min={1}
          max={daysMax}
          value={condition.days || ""}
          aria-invalid={invalid || undefined}
          onChange={({ target }) =>
            onChange({ ...condition, days: Math.min(daysMax, Math.max(0, Math.trunc(target.valueAsNumber) || 0)) })
          }
        />
        days
      </label>
    )
  }
  if (!("value" in condition) || condition.value === undefined) return null
  if (condition.field === "unsubscribed" || type === "boolean")
    return (
      <Choice
        condition={condition}
        values={[
          ["true", "yes"],
          ["false", "no"],
        ]}
        onChoice={(value) => onChange({ ...condition, value: value === "true" } as Condition)}
      />
    )
  if (type === "date")
    return (
      <Input
        type="date"
        aria-label="Day"
        className="tabular-nums"
        value={String(condition.value)}
        onChange={({ target }) => target.value && onChange({ ...condition, value: target.value } as Condition)}
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
  const number = type === "number"
  const property =
    condition.field === "property" && !number ? known.properties.find(({ key }) => key === condition.key) : undefined
  return (
    <ValueInput
      of={property && { projectId: known.projectId, propertyId: property.id }}
      type={number ? "number" : "text"}
      step="any"
      aria-label="Value"
      maxLength={filterValueCharsMax}
      value={typeof condition.value === "boolean" ? String(condition.value) : condition.value}
      aria-invalid={invalid || undefined}
      spellCheck={false}
      onChange={({ target }) =>
        // A number begins with what is none yet, such as a minus: until then it is incomplete.
        onChange({ ...condition, value: number ? numberOrNothing(target) : target.value } as Condition)
      }
    />
  )
}

function numberOrNothing({ valueAsNumber }: HTMLInputElement): number | "" {
  return Number.isNaN(valueAsNumber) ? "" : valueAsNumber
}

type ValueInputProps = ComponentProps<typeof Input> & {
  /** The property whose values are suggested. */
  of: { projectId: string; propertyId: string } | undefined
}

/** A field whose frequent values are read once it has the focus, and suggested as the browser does it. */
function ValueInput({ of, ...input }: ValueInputProps) {
  const id = useId()
  const [isFocused, setFocused] = useState(false)
  const query = propertyValuesQuery(of?.projectId ?? "", of?.propertyId ?? "")
  const values = useQuery({ ...query, enabled: of !== undefined && isFocused }).data?.data
  return (
    <>
      <Input {...input} autoComplete="off" list={values?.length ? id : undefined} onFocus={() => setFocused(true)} />
      {values?.length ? (
        <datalist id={id}>
          {values.map(({ value, contacts }) => (
            <option key={value} value={value} label={formatNumber(contacts)} />
          ))}
        </datalist>
      ) : null}
    </>
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
