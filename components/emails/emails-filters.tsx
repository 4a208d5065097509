"use client"

import { useQuery } from "@tanstack/react-query"
import { ListFilter } from "lucide-react"
import { type ReactNode, useEffect, useRef, useState } from "react"
import { broadcastQuery } from "@/components/broadcasts/queries"
import { DayInput, FilterInput, type FilterStep } from "@/components/data/filter-input"
import { type EmailFilters, moreCount } from "@/components/emails/filters"
import { allDomainsQuery } from "@/components/emails/queries"
import { isPlainKey, isTyping } from "@/components/layout/keys"
import { topicsQuery } from "@/components/segments/queries"
import { Button } from "@/components/ui/button"
import { cn } from "@/components/ui/cn"
import { Select } from "@/components/ui/select"

type EmailsFiltersProps = {
  projectId: string
  filters: EmailFilters
  onChange: (change: Partial<EmailFilters>, step: FilterStep) => void
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
      if (event.key !== "/" || !isPlainKey(event) || isTyping(event.target)) return
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

type MoreFiltersProps = {
  projectId: string
  filters: EmailFilters
  onChange: (change: Partial<EmailFilters>, step: FilterStep) => void
}

/** Domain, topic, tag and days; the broadcast, where a link of its page has chosen it. */
function MoreFilters({ projectId, filters, onChange }: MoreFiltersProps) {
  const domains = useQuery(allDomainsQuery(projectId)).data?.data ?? []
  const topics = useQuery(topicsQuery(projectId)).data?.data ?? []
  const broadcast = useQuery({
    ...broadcastQuery(projectId, filters.broadcast),
    enabled: filters.broadcast !== "",
  }).data
  return (
    <div
      className={cn(
        "grid grid-cols-2 items-end gap-2 lg:grid-cols-[1fr_1fr_1fr_208px_208px]",
        moreCount(filters) > 0 && "lg:grid-cols-[1fr_1fr_1fr_208px_208px_auto]",
        filters.broadcast && "lg:grid-cols-[1fr_1fr_1fr_1fr_208px_208px_auto]",
      )}
    >
      <Choice
        label="Domain"
        any="Any domain"
        value={filters.domain}
        options={domains.map(({ id, domain }) => ({ value: id, label: domain }))}
        onChange={(domain) => onChange({ domain }, "push")}
      />
      <Choice
        label="Topic"
        any="Any topic"
        value={filters.topic}
        options={topics.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(topic) => onChange({ topic }, "push")}
      />
      {filters.broadcast ? (
        <Choice
          label="Broadcast"
          any="Any broadcast"
          value={filters.broadcast}
          options={[{ value: filters.broadcast, label: broadcast?.subject || "One broadcast" }]}
          onChange={(broadcast) => onChange({ broadcast }, "push")}
        />
      ) : null}
      <FilterInput
        label="Tag, or tag:value"
        value={filters.tag}
        onChange={(tag, step) => onChange({ tag }, step)}
        className="col-span-2 sm:w-full lg:col-span-1"
      />
      <DayInput
        label="From"
        value={filters.since}
        most={filters.until}
        onChange={(since) => onChange({ since }, "push")}
      />
      <DayInput
        label="Until"
        value={filters.until}
        least={filters.since}
        onChange={(until) => onChange({ until }, "push")}
      />
      {moreCount(filters) > 0 ? (
        <Button variant="ghost" onClick={() => onChange(none, "push")}>
          Clear
        </Button>
      ) : null}
    </div>
  )
}

const none = { domain: "", topic: "", broadcast: "", tag: "", since: "", until: "" }

type ChoiceProps = {
  label: string
  any: string
  value: string
  options: { value: string; label: string }[]
  onChange: (value: string) => void
}

/** What the address names and the list does not have stays chosen, by its id. */
function Choice({ label, any, value, options, onChange }: ChoiceProps) {
  const foreign = value !== "" && !options.some((option) => option.value === value)
  return (
    <Select
      aria-label={label}
      value={value}
      options={[{ value: "", label: any }, ...(foreign ? [{ value, label: value }] : []), ...options]}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
