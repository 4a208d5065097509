"use client"

import { Select } from "@/components/ui/select"
import type { EmailFilters } from "./filters"
import { FilterInput } from "./filter-input"
import { statuses, statusNames } from "./status"

type EmailsFiltersProps = {
  filters: EmailFilters
  onChange: (change: Partial<EmailFilters>) => void
}

const options = [{ value: "", label: "Any status" }, ...statusNames.map((value) => ({ value, label: statuses[value].word }))]

export function EmailsFilters({ filters, onChange }: EmailsFiltersProps) {
  return (
    <div role="search" aria-label="Emails" className="mb-4 grid grid-cols-2 gap-2 lg:grid-cols-[160px_1fr_1fr_1fr]">
      <Select
        aria-label="Status"
        value={filters.status ?? ""}
        options={options}
        onChange={(event) => onChange({ status: statusNames.find((name) => name === event.target.value) ?? null })}
      />
      <FilterInput label="Recipient" value={filters.recipient} onChange={(recipient) => onChange({ recipient })} className="sm:w-full" />
      <FilterInput label="Sender" value={filters.from} onChange={(from) => onChange({ from })} className="sm:w-full" />
      <FilterInput label="Subject" value={filters.subject} onChange={(subject) => onChange({ subject })} className="sm:w-full" />
    </div>
  )
}
