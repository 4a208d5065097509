"use client"

import { useState, type FormEvent, type ReactNode } from "react"
import { Check } from "lucide-react"
import { dayIn } from "@/components/data/day-filters"
import {
  customDaysMax,
  daysOf,
  windowNames,
  windowWords,
  type MetricsView,
  type WindowName,
} from "@/components/metrics/view"
import { Button } from "@/components/ui/button"
import { cn } from "@/components/ui/cn"
import { Input } from "@/components/ui/input"
import { Segmented } from "@/components/ui/segmented"
import { Select } from "@/components/ui/select"

type ControlsProps = {
  view: MetricsView
  domains: readonly string[]
  onChange: (change: Partial<MetricsView>) => void
  /** What else is in the row. */
  children?: ReactNode
}

/** Domain, window and comparison; all are in the address of the page. */
export function Controls({ view, domains, onChange, children }: ControlsProps) {
  const ranged = view.from !== ""
  const [dated, setDated] = useState(ranged)
  const names = view.domain && !domains.includes(view.domain) ? [view.domain, ...domains] : domains
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Select
        aria-label="Sending domain"
        className="w-auto max-w-60 min-w-36"
        value={view.domain}
        onChange={(event) => onChange({ domain: event.target.value })}
        options={[{ value: "", label: "All domains" }, ...names.map((name) => ({ value: name, label: name }))]}
      />
      <Segmented<WindowName | "custom">
        label="Period"
        value={ranged || dated ? "custom" : view.window}
        onChange={(window) => {
          setDated(window === "custom")
          if (window !== "custom") onChange({ window, from: "", to: "" })
        }}
        options={[
          ...windowNames.map((name) => ({ value: name, label: windowWords[name] })),
          { value: "custom" as const, label: "Custom" },
        ]}
        className="max-sm:w-full max-sm:[&_label]:px-0.5"
      />
      <Button
        aria-pressed={view.compare}
        onClick={() => onChange({ compare: !view.compare })}
        className={cn(view.compare && "bg-wait-soft")}
        icon={view.compare ? <Check /> : undefined}
      >
        Compare
      </Button>
      {children}
      {ranged || dated ? <RangeForm view={view} onChange={onChange} /> : null}
    </div>
  )
}

function RangeForm({ view, onChange }: Pick<ControlsProps, "view" | "onChange">) {
  const [fault, setFault] = useState("")
  function apply(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const [from, to] = [String(data.get("from")), String(data.get("to"))]
    const said = faultOf(from, to)
    setFault(said)
    if (!said) onChange({ from, to })
  }
  const today = dayIn(view.timeZone, new Date())
  return (
    <form onSubmit={apply} className="flex w-full flex-wrap items-center gap-2 sm:justify-end">
      <label className="flex items-center gap-2 text-muted">
        From <Input type="date" name="from" required max={today} defaultValue={view.from} className="w-36" />
      </label>
      <label className="flex items-center gap-2 text-muted">
        to <Input type="date" name="to" required max={today} defaultValue={view.to || today} className="w-36" />
      </label>
      <Button type="submit">Apply</Button>
      {fault ? (
        <p role="alert" className="w-full text-right text-bad">
          {fault}
        </p>
      ) : null}
    </form>
  )
}

function faultOf(from: string, to: string): string {
  if (from > to) return "The first day is after the last."
  return daysOf(from, to) > customDaysMax ? `A period has at most ${customDaysMax} days.` : ""
}
