"use client"

import { ListPlus, Plus, Trash2, X } from "lucide-react"
import { ConditionValue, Named } from "@/components/segments/condition-value"
import {
  conditionOn,
  engagementWords,
  fieldChoices,
  fieldOf,
  type Known,
  operatorChoices,
  withOperator,
} from "@/components/segments/conditions"
import { Button } from "@/components/ui/button"
import { cn } from "@/components/ui/cn"
import { IconButton } from "@/components/ui/icon-button"
import { Select } from "@/components/ui/select"
import {
  type Condition,
  depthMax,
  engagementEvents,
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
