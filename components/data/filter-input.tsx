"use client"

import { useEffect, useRef, useState } from "react"
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
  const [draft, setDraft] = useState(value)
  const [seen, setSeen] = useState(value)
  const begun = useRef(false)
  if (value !== seen) {
    setSeen(value)
    setDraft(value)
  }
  const act = useRef((_wanted: string) => {})
  useEffect(() => {
    act.current = (wanted) => {
      if (wanted === value) return
      onChange(wanted, begun.current ? "replace" : "push")
      begun.current = true
    }
  }, [onChange, value])
  const input = useTypedEarly(setDraft)
  // An emptied field starts again, whether the user or the page emptied it.
  useEffect(() => {
    if (value === "") begun.current = false
  }, [value])
  useEffect(() => {
    const timer = setTimeout(() => act.current(draft.trim()), pauseMs)
    return () => clearTimeout(timer)
  }, [draft])

  return (
    <SearchInput
      ref={input}
      label={label}
      placeholder={placeholder}
      value={draft}
      onChange={(event) => setDraft(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") act.current(draft.trim())
      }}
      onFocus={() => (begun.current = false)}
      autoComplete="off"
      spellCheck={false}
      className={className}
    />
  )
}
