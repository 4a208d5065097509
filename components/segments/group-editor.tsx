"use client"

import { useQuery } from "@tanstack/react-query"
import { ListPlus, Plus, Trash2, X } from "lucide-react"
import { type ComponentProps, useId, useState } from "react"
import {
  conditionOn,
  engagementWords,
  fieldChoices,
  fieldOf,
  type Known,
  operatorChoices,
  propertyTypeOf,
  withOperator,
} from "@/components/segments/conditions"
import { propertyValuesQuery } from "@/components/segments/queries"
import { Button } from "@/components/ui/button"
import { cn } from "@/components/ui/cn"
import { IconButton } from "@/components/ui/icon-button"
import { Input } from "@/components/ui/input"
import { Select } from "@/components/ui/select"
import { formatNumber } from "@/lib/platform/format"
import {
  choices,
  type Condition,
  daysMax,
  depthMax,
  engagementEvents,
  filterValueCharsMax,
  type Group,
  isGroup,
  type Node,
  quantifierAndNodes,
  type Quantifier,
  quantifiers,
} from "@/lib/segments/rules"

export type GroupFaults = ReadonlyMap<string, string>

type GroupEditorProps = {
  group: Group
  onChange: (group: Group) => void
  onRemove?: () => void
  known: Known
  /** Faults of the filter that the API reported, by JSON Pointer. */
  faults: GroupFaults
  pointer?: string
  depth?: number
}

const words: Record<Quantifier, string> = {
  all: "All of these match",
  any: "Any of these matches",
  none: "None of these matches",
}

/** One group with its conditions and groups; a change of any part reports the whole group. */
export function GroupEditor({ group, onChange, onRemove, known, faults, pointer = "", depth = 1 }: GroupEditorProps) {
  const [quantifier, nodes] = quantifierAndNodes(group)
  const change = (next: Node[]) => onChange({ [quantifier]: next })
  const replace = (at: number, node: Node) => change(nodes.map((one, index) => (index === at ? node : one)))
  const remove = (at: number) => change(nodes.filter((_, index) => index !== at))
  const only = nodes.length === 1 && depth === 1

  return (
    <fieldset className={cn("min-w-0", depth > 1 && "rounded-md border border-line bg-sunken p-3")}>
      <legend className="sr-only">{depth === 1 ? "Filter" : "Group of conditions"}</legend>
      <div className="mb-2 flex items-center justify-between gap-2">
        <Select
          aria-label="How the conditions are combined"
          className="w-48"
          value={quantifier}
          options={quantifiers.map((value) => ({ value, label: words[value] }))}
          onChange={({ target }) => onChange({ [target.value]: nodes })}
        />
        {onRemove ? <IconButton label="Remove this group" icon={<Trash2 />} onClick={onRemove} /> : null}
      </div>
      <ul className="grid gap-2">
        {nodes.map((node, at) => (
          <li key={at}>
            <NodeEditor
              node={node}
              onChange={(next) => replace(at, next)}
              onRemove={only ? undefined : () => remove(at)}
              known={known}
              faults={faults}
              pointer={`${pointer}/${quantifier}/${at}`}
              depth={depth}
            />
          </li>
        ))}
      </ul>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="small" icon={<Plus />} onClick={() => change([...nodes, conditionOn("email", known)])}>
          Condition
        </Button>
        {depth < depthMax ? (
          <Button
            size="small"
            variant="ghost"
            icon={<ListPlus />}
            onClick={() => change([...nodes, { any: [conditionOn("email", known)] }])}
          >
            Group
          </Button>
        ) : null}
      </div>
    </fieldset>
  )
}

type NodeEditorProps = Omit<GroupEditorProps, "group" | "onChange" | "pointer" | "depth"> & {
  node: Node
  onChange: (node: Node) => void
  pointer: string
  depth: number
}

function NodeEditor({ node, onChange, onRemove, known, faults, pointer, depth }: NodeEditorProps) {
  const fault = [...faults].find(([at]) => (isGroup(node) ? at === pointer : at.startsWith(pointer)))?.[1]
  return (
    <>
      {isGroup(node) ? (
        <GroupEditor
          group={node}
          onChange={onChange}
          onRemove={onRemove}
          known={known}
          faults={faults}
          pointer={pointer}
          depth={depth + 1}
        />
      ) : (
        <ConditionEditor
          condition={node}
          onChange={onChange}
          onRemove={onRemove}
          known={known}
          invalid={fault !== undefined}
        />
      )}
      {fault ? (
        <p role="alert" className="mt-1 text-sm text-bad">
          {fault}
        </p>
      ) : null}
    </>
  )
}

type ConditionEditorProps = {
  condition: Condition
  onChange: (condition: Condition) => void
  onRemove?: () => void
  known: Known
  invalid: boolean
}

/** One condition as a line: field, operator and value. */
function ConditionEditor({ condition, onChange, onRemove, known, invalid }: ConditionEditorProps) {
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
        <ConditionValue condition={condition} known={known} onChange={onChange} invalid={invalid} />
      </div>
      {onRemove ? <IconButton label="Remove this condition" icon={<X />} onClick={onRemove} /> : null}
    </div>
  )
}

function isKnown(condition: Condition, { properties, topics, segments }: Known): boolean {
  if (condition.field === "property") return properties.some(({ key }) => key === condition.key)
  if (condition.field === "segment") return segments.length > 0
  return condition.field !== "topic" || topics.length > 0
}

type Part = { condition: Condition; onChange: (condition: Condition) => void }

/** What the field alone does not say: which topic, which event. */
function Subject({ condition, onChange, known }: Part & { known: Known }) {
  if (condition.field === "topic")
    return (
      <Named
        label="Topic"
        value={condition.topicId}
        among={known.topics}
        onChoice={(topicId) => onChange({ ...condition, topicId })}
      />
    )
  if (condition.field !== "engagement") return null
  return (
    <Select
      aria-label="What happened"
      value={condition.event}
      options={engagementEvents.map((value) => ({ value, label: engagementWords[value] }))}
      onChange={({ target }) =>
        onChange({ ...condition, event: engagementEvents.find((one) => one === target.value) ?? condition.event })
      }
    />
  )
}

type NamedProps = {
  label: "Topic" | "Segment"
  value: string
  among: readonly { id: string; name: string }[]
  onChoice: (id: string) => void
}

function Named({ label, value, among, onChoice }: NamedProps) {
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
function ConditionValue({ condition, known, onChange, invalid }: ConditionValueProps) {
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
  const number = typeof condition.value === "number"
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
        onChange({ ...condition, value: number ? target.valueAsNumber || 0 : target.value } as Condition)
      }
    />
  )
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
