"use client"

import { type SetStateAction, useCallback, useEffect, useRef, useState } from "react"
import { applyFilter, askFor, isNews, newFilterDraft } from "@/components/data/filter-draft"
import { SearchInput, useTypedEarly } from "@/components/ui/search-input"

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
