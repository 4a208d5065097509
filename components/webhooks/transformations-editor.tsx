"use client"

import { Input } from "@/components/ui/input"
import { Select } from "@/components/ui/select"
import { companions, transformationTypes, type Transformation } from "@/lib/webhooks/rules"
import { LineList } from "@/components/webhooks/line-list"

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
export function TransformationsEditor({ value, onChange, error }: TransformationsEditorProps) {
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
