"use client"

import { useEffect, useState } from "react"
import { SearchInput } from "@/components/ui/search-input"

type FilterInputProps = { label: string; value: string; onChange: (value: string) => void; className?: string }

const pauseMs = 300

/** A search field that acts when its writer pauses, or at once with Enter. */
export function FilterInput({ label, value, onChange, className }: FilterInputProps) {
  const [draft, setDraft] = useState(value)
  const [seen, setSeen] = useState(value)
  if (value !== seen) {
    setSeen(value)
    setDraft(value)
  }
  useEffect(() => {
    if (draft.trim() === value) return
    const timer = setTimeout(() => onChange(draft.trim()), pauseMs)
    return () => clearTimeout(timer)
  }, [draft, value, onChange])

  return (
    <SearchInput
      label={label}
      value={draft}
      onChange={(event) => setDraft(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") onChange(draft.trim())
      }}
      autoComplete="off"
      spellCheck={false}
      className={className}
    />
  )
}
