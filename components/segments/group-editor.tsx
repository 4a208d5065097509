"use client"

import { ListPlus, Plus, Trash2 } from "lucide-react"
import { Button } from "@/components/ui/button"
import { cn } from "@/components/ui/cn"
import { IconButton } from "@/components/ui/icon-button"
import { Select } from "@/components/ui/select"
import { depthMax, isGroup, partsOf, quantifiers, type Group, type Node, type Quantifier } from "@/lib/segments/rules"
import { ConditionEditor } from "@/components/segments/condition-editor"
import { conditionOn, type Known } from "@/components/segments/conditions"

export type Faults = ReadonlyMap<string, string>

type GroupEditorProps = {
  group: Group
  onChange: (group: Group) => void
  onRemove?: () => void
  known: Known
  /** Faults of the filter that the API reported, by JSON Pointer. */
  faults: Faults
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
  const [quantifier, nodes] = partsOf(group)
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
