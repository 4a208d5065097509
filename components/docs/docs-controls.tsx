"use client"

import Link from "next/link"
import { usePathname, useRouter } from "next/navigation"
import { cn } from "@/components/ui/cn"
import { useId, useRef, useState, type KeyboardEvent } from "react"
import { SearchInput, useTypedEarly } from "@/components/ui/input"
import { searched, type SearchEntry } from "@/lib/docs/search-rules"
import { Monitor, Moon, Sun } from "lucide-react"
import { chooseTheme, useTheme, type Theme } from "@/components/layout/theme"
import { Segmented } from "@/components/ui/segmented"
import { useInBrowser } from "@/components/ui/page-start"

type Item = { href: string; title: string }

type DocsNavProps = {
  /** Names the list. */
  label: string
  items: Item[]
  /** The way to the other part of the documentation. */
  other: Item
}

/** The pages of a part of the documentation beside the text; above it, and folded, where there is no room. */
export function DocsNav({ label, items, other }: DocsNavProps) {
  const path = usePathname()
  const current = items.find(({ href }) => href === path)?.title ?? label
  return (
    <>
      <details key={path} className="mt-4 rounded-lg border border-line bg-panel lg:hidden">
        <summary className="px-4 py-2.5 font-medium">{current}</summary>
        <nav aria-label={label} className="border-t border-line p-2">
          <List items={items} path={path} />
        </nav>
      </details>
      <nav
        aria-label={label}
        className="sticky top-14 hidden max-h-[calc(100dvh-3.5rem)] w-52 shrink-0 self-start overflow-y-auto py-10 lg:block"
      >
        <List items={items} path={path} />
        <p className="mt-4 border-t border-line px-2 pt-4">
          <Link href={other.href} className="text-muted hover:text-text">
            {other.title}
          </Link>
        </p>
      </nav>
    </>
  )
}

function List({ items, path }: { items: Item[]; path: string }) {
  return (
    <ul className="flex flex-col gap-0.5">
      {items.map(({ href, title }) => (
        <li key={href}>
          <Link
            href={href}
            aria-current={href === path ? "page" : undefined}
            className={cn(
              "block rounded-md px-2 py-1.5 -outline-offset-1 transition-colors",
              href === path
                ? "bg-panel text-text shadow-[0_0_0_1px_var(--line)]"
                : "text-muted hover:bg-wait-soft hover:text-text",
            )}
          >
            {title}
          </Link>
        </li>
      ))}
    </ul>
  )
}

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

export function ThemeToggle({ className }: { className?: string }) {
  const theme = useTheme()
  // The server does not know the choice; until the browser has spoken none is marked.
  const known = useInBrowser()
  return (
    <Segmented<Theme>
      label="Theme"
      value={known ? theme : undefined}
      onChange={chooseTheme}
      className={className}
      options={[
        { value: "light", name: "Light", label: <Sun aria-hidden="true" /> },
        { value: "dark", name: "Dark", label: <Moon aria-hidden="true" /> },
        { value: "system", name: "System", label: <Monitor aria-hidden="true" /> },
      ]}
    />
  )
}
