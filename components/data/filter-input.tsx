"use client"

import { type SetStateAction, useCallback, useEffect, useRef, useState } from "react"
import { SearchInput, useTypedEarly, Input } from "@/components/ui/input"
import { cn } from "@/components/ui/cn"
import { useTimeZone } from "@/components/ui/local-time"

/** `push` makes the change one that the Back button takes back. */
export type FilterStep = "push" | "replace"

type FilterInputProps = {
  label: string
  placeholder?: string
  value: string
  onChange: (value: string, step: FilterStep) => void
  className?: string
}

const pauseMs = 300

/**
 * A search field that acts when its writer pauses, or at once with Enter. What is typed in one go is one step back,
 * however often its writer paused.
 */
export function FilterInput({ label, placeholder = label, value, onChange, className }: FilterInputProps) {
  const [draft, setDraft] = useState(() => newFilterDraft(value))
  const { text } = draft
  const begun = useRef(false)
  if (value !== draft.applied) setDraft(applyFilter(draft, value))
  const setText = useCallback((next: SetStateAction<string>) => {
    setDraft((before) => ({ ...before, text: typeof next === "function" ? next(before.text) : next }))
  }, [])
  const act = useRef((_wanted: string) => {})
  useEffect(() => {
    act.current = (wanted) => {
      if (!isNews(draft, wanted)) return
      setDraft((before) => askFor(before, wanted))
      onChange(wanted, begun.current ? "replace" : "push")
      begun.current = true
    }
  }, [onChange, draft])
  const input = useTypedEarly(setText)
  // An emptied field starts again, whether the user or the page emptied it.
  useEffect(() => {
    if (value === "") begun.current = false
  }, [value])
  useEffect(() => {
    const timer = setTimeout(() => act.current(text.trim()), pauseMs)
    return () => clearTimeout(timer)
  }, [text])

  return (
    <SearchInput
      ref={input}
      label={label}
      placeholder={placeholder}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") act.current(text.trim())
      }}
      onFocus={() => (begun.current = false)}
      autoComplete="off"
      spellCheck={false}
      className={className}
    />
  )
}

/** What is in a filter's field, and what the page filters by. The second follows the first with a delay. */
export type FilterDraft = {
  text: string
  /** What the page filtered by when it was last rendered. */
  applied: string
  /** What the field asked for and the page has not rendered yet, oldest first. */
  asked: readonly string[]
}

export function newFilterDraft(applied: string): FilterDraft {
  return { text: applied, applied, asked: [] }
}

/** The field asks the page to filter by this. */
export function askFor(draft: FilterDraft, wanted: string): FilterDraft {
  return { ...draft, asked: [...draft.asked, wanted] }
}

/**
 * The page filters by this now. What the field asked for changes nothing in it: more may have been typed since. What
 * came another way, such as by the Back button, takes its place.
 */
export function applyFilter(draft: FilterDraft, value: string): FilterDraft {
  const at = draft.asked.indexOf(value)
  if (at < 0) return newFilterDraft(value)
  return { ...draft, applied: value, asked: draft.asked.slice(at + 1) }
}

/** Whether the page has yet to be asked for this. */
export function isNews({ applied, asked }: FilterDraft, wanted: string): boolean {
  return wanted !== (asked.at(-1) ?? applied)
}

type DayInputProps = { label: string; value: string; least?: string; most?: string; onChange: (day: string) => void }

/** Days are of the zone in which times are written, like those of Metrics. */
export function DayInput({ label, value, least, most, onChange }: DayInputProps) {
  const timeZone = useTimeZone()
  const utc = timeZone === "UTC"
  return (
    <label className="relative block">
      <span className="sr-only">
        {label}, day in {timeZone}
      </span>
      <span aria-hidden="true" className="pointer-events-none absolute top-1.5 left-2.5 text-muted">
        {label}
        {utc ? <span className="max-sm:hidden">, UTC</span> : null}
      </span>
      <Input
        type="date"
        title={`${label} this day, in ${timeZone}`}
        value={value}
        min={least || undefined}
        max={most || undefined}
        className={cn("pl-13 tabular-nums", utc && "sm:pl-21")}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  )
}
