"use client"

import { Plus, X } from "lucide-react"
import { Button } from "@/components/ui/button"
import { IconButton } from "@/components/ui/icon-button"
import { Input } from "@/components/ui/input"
import type { Pair } from "@/components/compose/fields"

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
export function Pairs({ id, legend, hint, noun, value, onChange, error }: PairsProps) {
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
