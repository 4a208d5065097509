"use client"

import { useRouter } from "next/navigation"
import { useId, useRef, useState, type KeyboardEvent } from "react"
import { cn } from "@/components/ui/cn"
import { SearchInput, useTypedEarly } from "@/components/ui/input"
import { searched, type SearchEntry } from "@/lib/docs/search-rules"

/** Finds sections of the guides and operations. The index is loaded when the field is first focused. */
export function DocsSearch() {
  const { entries, load, failed } = useIndex()
  const [query, setQuery] = useState("")
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(0)
  const list = useId()
  const router = useRouter()
  const input = useTypedEarly(setQuery)
  const found = searched(entries ?? [], query)
  const shown = open && query.trim() !== ""

  function go({ href }: SearchEntry) {
    setOpen(false)
    setQuery("")
    router.push(href)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Escape") setOpen(false)
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && found.length > 0) {
      event.preventDefault()
      setActive((active + step + found.length) % found.length)
    }
    const chosen = found[active]
    if (event.key === "Enter" && chosen) go(chosen)
  }

  return (
    <div
      className="relative min-w-0 flex-1 sm:w-72 sm:flex-none"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(false)
      }}
    >
      <SearchInput
        ref={input}
        label="Search the docs"
        className="sm:w-72"
        role="combobox"
        aria-expanded={shown}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={shown && found[active] ? `${list}-${active}` : undefined}
        autoComplete="off"
        value={query}
        onFocus={load}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          load()
          setQuery(event.target.value)
          setActive(0)
          setOpen(true)
        }}
      />
      <div
        hidden={!shown}
        className="absolute inset-x-0 top-full z-40 mt-1.5 rounded-lg border border-line bg-panel p-1 shadow-(--shadow-float) sm:-left-28"
      >
        <ul id={list} role="listbox" aria-label="Results" className="max-h-96 overflow-y-auto">
          {shown
            ? found.map((entry, index) => (
                <li
                  key={entry.href + entry.title}
                  id={`${list}-${index}`}
                  role="option"
                  aria-selected={index === active}
                  // The field keeps the focus, or the list would close before the click.
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => go(entry)}
                  className={cn(
                    "cursor-pointer rounded-md px-2.5 py-1.5 hover:bg-wait-soft",
                    index === active && "bg-wait-soft",
                  )}
                >
                  <span className="block truncate">{entry.title}</span>
                  <span className="block truncate text-sm text-muted">{entry.context}</span>
                </li>
              ))
            : null}
        </ul>
        {shown && found.length === 0 ? (
          <p role="status" className="px-2.5 py-1.5 text-muted">
            {failed ? "The search could not be loaded." : entries ? "Nothing found." : "Loading …"}
          </p>
        ) : null}
      </div>
    </div>
  )
}

function useIndex() {
  const [entries, setEntries] = useState<SearchEntry[]>()
  const [failed, setFailed] = useState(false)
  const asked = useRef(false)

  function load() {
    if (asked.current) return
    asked.current = true
    setFailed(false)
    fetch("/docs/search")
      .then((response) => response.json())
      .then(setEntries)
      .catch(() => {
        asked.current = false
        setFailed(true)
      })
  }
  return { entries, load, failed }
}
