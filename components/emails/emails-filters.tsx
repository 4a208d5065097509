"use client"

import { ListFilter } from "lucide-react"
import { useEffect, useRef, useState, type ReactNode } from "react"
import { FilterInput, type Step } from "@/components/data/filter-input"
import { moreCount, type EmailFilters } from "@/components/emails/filters"
import { MoreFilters } from "@/components/emails/more-filters"
import { isPlain, isTyping } from "@/components/layout/keys"
import { Button } from "@/components/ui/button"

type EmailsFiltersProps = {
  projectId: string
  filters: EmailFilters
  onChange: (change: Partial<EmailFilters>, step: Step) => void
  /** The chips of the statuses: below the field, and beside it where both fit. */
  children: ReactNode
}

/** One field over everything; the rest unfolds, and shows how many filters are set while it is folded. */
export function EmailsFilters({ projectId, filters, onChange, children }: EmailsFiltersProps) {
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
    <div ref={bar} className="mb-4 flex flex-wrap items-center gap-2">
      <div role="search" aria-label="Emails" className="contents">
        <span className="relative flex flex-1 min-[1680px]:max-w-96">
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
          className="min-[1680px]:order-1"
          icon={<ListFilter />}
          aria-expanded={open}
          aria-controls="emails-more-filters"
          onClick={() => setOpen((was) => !was)}
        >
          {count > 0 ? `Filter, ${count} set` : "Filter"}
        </Button>
        <div id="emails-more-filters" hidden={!open} className="w-full min-[1680px]:order-2">
          {open ? <MoreFilters projectId={projectId} filters={filters} onChange={onChange} /> : null}
        </div>
      </div>
      <div className="w-full min-w-0 min-[1680px]:w-auto min-[1680px]:flex-1">{children}</div>
    </div>
  )
}
