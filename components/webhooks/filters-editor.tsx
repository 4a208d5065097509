"use client"

import { Input } from "@/components/ui/input"
import { Select } from "@/components/ui/select"
import { filterOperators, type Filter } from "@/lib/webhooks/rules"
import { LineList } from "@/components/webhooks/line-list"

type FiltersEditorProps = { value: readonly Filter[]; onChange: (value: Filter[]) => void; error?: string | undefined }

const operatorWords: Record<Filter["operator"], string> = {
  eq: "is",
  neq: "is not",
  contains: "contains",
  exists: "exists",
}

/** Conditions on the event, all of which must hold. */
export function FiltersEditor({ value, onChange, error }: FiltersEditorProps) {
  return (
    <LineList
      noun="filter"
      value={value}
      onChange={onChange}
      error={error}
      fresh={{ field: "data.to", operator: "contains", value: "" }}
    >
      {({ field, operator, value: text }, change) => (
        <>
          <Input
            mono
            aria-label="Field"
            placeholder="data.to"
            spellCheck={false}
            className="sm:w-44 sm:shrink-0"
            value={field}
            onChange={({ target }) =>
              change({ field: target.value, operator, ...(text !== undefined && { value: text }) })
            }
          />
          <Select
            aria-label="Comparison"
            className="sm:w-32 sm:shrink-0"
            value={operator}
            options={filterOperators.map((one) => ({ value: one, label: operatorWords[one] }))}
            onChange={({ target }) => {
              const next = filterOperators.find((one) => one === target.value) ?? operator
              change(next === "exists" ? { field, operator: next } : { field, operator: next, value: text ?? "" })
            }}
          />
          {operator === "exists" ? null : (
            <Input
              aria-label="Value"
              placeholder="@acme.com"
              value={text ?? ""}
              onChange={({ target }) => change({ field, operator, value: target.value })}
            />
          )}
        </>
      )}
    </LineList>
  )
}
