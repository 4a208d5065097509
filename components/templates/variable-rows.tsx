"use client"

import { Plus, X } from "lucide-react"
import type { Template } from "@/components/templates/queries"
import { Button } from "@/components/ui/button"
import { IconButton } from "@/components/ui/icon-button"
import { Input } from "@/components/ui/input"
import { Select } from "@/components/ui/select"
import { variableTypes } from "@/lib/emails/templates/rules"

type Variables = Template["variables"]
type VariableRowsProps = { variables: Variables; disabled: boolean; onChange: (variables: Variables) => void }

const types = variableTypes.map((type) => ({
  value: type,
  label: { string: "Text", number: "Number", url: "URL" }[type],
}))

/** The variables of a template, with type and fallback; one without a fallback must be given by each send. */
export function VariableRows({ variables, disabled, onChange }: VariableRowsProps) {
  const change = (at: number, part: Partial<Variables[number]>) =>
    onChange(variables.map((one, index) => (index === at ? { ...one, ...part } : one)))
  return (
    <fieldset className="grid gap-2" disabled={disabled}>
      <legend className="mb-1.5 font-medium">Variables</legend>
      {variables.length === 0 ? <p className="text-muted">None: every email has the same content.</p> : null}
      {variables.map(({ name, type, fallback }, at) => (
        <div
          key={at}
          className="grid grid-cols-[minmax(0,1fr)_auto_auto] gap-2 sm:grid-cols-[minmax(0,1fr)_8rem_minmax(0,1fr)_auto]"
        >
          <Input
            mono
            aria-label={`Name of variable ${at + 1}`}
            placeholder="plan"
            maxLength={50}
            value={name}
            onChange={({ target }) => change(at, { name: target.value })}
          />
          <Select
            aria-label={`Type of variable ${at + 1}`}
            options={types}
            value={type}
            onChange={({ target }) =>
              change(at, { type: variableTypes.find((one) => one === target.value) ?? "string" })
            }
          />
          <Input
            aria-label={`Fallback of variable ${at + 1}`}
            placeholder="No fallback: required"
            className="max-sm:order-last max-sm:col-span-3"
            value={fallback ?? ""}
            onChange={({ target }) => change(at, { fallback: target.value || undefined })}
          />
          {disabled ? null : (
            <IconButton
              label={`Remove ${name || `variable ${at + 1}`}`}
              icon={<X />}
              onClick={() => onChange(variables.filter((_, index) => index !== at))}
            />
          )}
        </div>
      ))}
      {disabled ? null : (
        <div>
          <Button icon={<Plus />} onClick={() => onChange([...variables, { name: "", type: "string" }])}>
            Add variable
          </Button>
        </div>
      )}
    </fieldset>
  )
}
