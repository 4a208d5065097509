"use client"

import { ListFilter } from "lucide-react"
import { useEffect, useRef, useState } from "react"
import { FilterInput, type Step } from "@/components/emails/filter-input"
import { moreCount, type EmailFilters } from "@/components/emails/filters"
import { MoreFilters } from "@/components/emails/more-filters"
import { isPlain, isTyping } from "@/components/layout/keys"
import { Button } from "@/components/ui/button"

type EmailsFiltersProps = {
  projectId: string
  filters: EmailFilters
  onChange: (change: Partial<EmailFilters>, step: Step) => void
}

/** One field over everything; the rest unfolds, and shows how many filters are set while it is folded. */
export function EmailsFilters({ projectId, filters, onChange }: EmailsFiltersProps) {
  const count = moreCount(filters)
  const [open, setOpen] = useState(count > 0)
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key !== "/" || !isPlain(event) || isTyping(event.target)) return
      event.preventDefault()
      bar.current?.querySelector("input")?.focus()
    }
    document.addEventListener("keydown", onKeyDown)
    return () => document.removeEventListener("keydown", onKeyDown)
  }, [])

  return (
    <div ref={bar} role="search" aria-label="Emails" className="mb-3 grid gap-2">
      <div className="flex gap-2">
        <span className="relative flex flex-1">
          <FilterInput
            label="Search emails"
            placeholder="Search recipient, sender, subject, ID or tag"
            value={filters.search}
            onChange={(search, step) => onChange({ search }, step)}
            className="sm:w-full"
          />
          {filters.search ? (
            <span
              aria-hidden="true"
              className="pointer-events-none absolute top-1.5 right-9 hidden text-sm text-muted md:block"
            >
              in recipient, sender, subject, ID or tag
            </span>
          ) : null}
        </span>
        <Button
          icon={<ListFilter />}
          aria-expanded={open}
          aria-controls="emails-more-filters"
          onClick={() => setOpen((was) => !was)}
        >
          {count > 0 ? `Filter, ${count} set` : "Filter"}
        </Button>
      </div>
      <div id="emails-more-filters" hidden={!open}>
        {open ? <MoreFilters projectId={projectId} filters={filters} onChange={onChange} /> : null}
      </div>
    </div>
  )
}
