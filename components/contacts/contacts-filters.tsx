"use client"

import { useQuery } from "@tanstack/react-query"
import { FilterInput, type Step } from "@/components/data/filter-input"
import { allSegmentsQuery, topicsQuery } from "@/components/segments/queries"
import { Button } from "@/components/ui/button"
import { cn } from "@/components/ui/cn"
import { Select } from "@/components/ui/select"
import { isFiltered, type ContactFilters } from "@/components/contacts/filters"

type Props = {
  projectId: string
  filters: ContactFilters
  onChange: (change: Partial<ContactFilters>, step: Step) => void
  onClear: () => void
}

const states = [
  { value: "", label: "Any state" },
  { value: "subscribed", label: "Subscribed" },
  { value: "unsubscribed", label: "Unsubscribed" },
]

export function ContactsFilters({ projectId, filters, onChange, onClear }: Props) {
  const segments = useQuery(allSegmentsQuery(projectId)).data?.data ?? []
  const topics = useQuery(topicsQuery(projectId)).data?.data ?? []
  return (
    <div
      role="search"
      aria-label="Contacts"
      className={cn(
        "mb-4 grid grid-cols-2 gap-2 max-sm:[&>:nth-child(4):last-child]:col-span-full sm:grid-cols-3",
        isFiltered(filters) ? "lg:grid-cols-[1fr_152px_180px_180px_auto]" : "lg:grid-cols-[1fr_152px_180px_180px]",
      )}
    >
      <FilterInput
        label="Address or name"
        value={filters.search}
        onChange={(search, step) => onChange({ search }, step)}
        className="col-span-full sm:w-full lg:col-span-1"
      />
      <Select
        aria-label="State"
        value={filters.state ?? ""}
        options={states}
        onChange={({ target }) => onChange({ state: (target.value || null) as ContactFilters["state"] }, "push")}
      />
      <Choice
        label="Segment"
        value={filters.segment}
        items={segments}
        onChange={(segment) => onChange({ segment }, "push")}
      />
      <Choice label="Topic" value={filters.topic} items={topics} onChange={(topic) => onChange({ topic }, "push")} />
      {isFiltered(filters) ? (
        <Button variant="ghost" onClick={onClear}>
          Clear
        </Button>
      ) : null}
    </div>
  )
}

type ChoiceProps = {
  label: string
  value: string
  items: { id: string; name: string }[]
  onChange: (id: string) => void
}

function Choice({ label, value, items, onChange }: ChoiceProps) {
  const known = items.some(({ id }) => id === value)
  return (
    <Select aria-label={label} value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">Any {label.toLowerCase()}</option>
      {value && !known ? <option value={value}>{value}</option> : null}
      {items.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  )
}
