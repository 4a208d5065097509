"use client"

import { createContext, use, useId, useState, type KeyboardEvent, type ReactNode } from "react"
import { formatNumber } from "@/lib/platform/format"
import { cn } from "@/components/ui/cn"
import { showInRow } from "@/components/ui/chosen-in-row"

type Tab = { value: string; label: ReactNode; count?: number }

type TabsProps = {
  tabs: Tab[]
  /** Names the row of tabs. */
  label: string
  value?: string
  defaultValue?: string
  onValueChange?: (value: string) => void
  /** TabPanels. */
  children: ReactNode
  /** Padding of the row: inside a card it keeps to the card's 16 px. */
  flush?: boolean
  className?: string
}

const Chosen = createContext({ id: "", value: "" })

/**
 * Arrow keys move and choose, Home and End jump; the Tab key goes on to the panel. Give value and onValueChange to keep
 * the choice in the URL. Written out after the ARIA pattern: the library for it weighed 12 kB on every page with tabs.
 */
export function Tabs({ tabs, label, value, defaultValue, onValueChange, children, flush, className }: TabsProps) {
  const id = useId()
  const [own, setOwn] = useState(defaultValue ?? tabs[0]?.value ?? "")
  const chosen = value ?? own

  function choose(next: string) {
    if (next === chosen) return
    setOwn(next)
    onValueChange?.(next)
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const at = tabs.findIndex((tab) => tab.value === chosen)
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key]
    const next = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length]
    if (!next) return
    event.preventDefault()
    choose(next.value)
    document.getElementById(tabId(id, next.value))?.focus()
  }

  return (
    <div className={cn("min-w-0", className)}>
      <div
        role="tablist"
        aria-label={label}
        onKeyDown={onKeyDown}
        className={cn(
          "relative flex gap-5 overflow-x-auto border-b border-line [scrollbar-width:none]",
          flush ? "px-0" : "px-4",
        )}
      >
        {tabs.map((tab) => (
          <button
            key={tab.value}
            ref={tab.value === chosen ? showInRow : undefined}
            type="button"
            role="tab"
            id={tabId(id, tab.value)}
            aria-selected={tab.value === chosen}
            aria-controls={tab.value === chosen ? panelId(id, tab.value) : undefined}
            tabIndex={tab.value === chosen ? 0 : -1}
            onClick={() => choose(tab.value)}
            className="shrink-0 py-2.5 whitespace-nowrap text-muted -outline-offset-2 transition-colors hover:text-text
              aria-selected:text-text aria-selected:shadow-[inset_0_-2px_var(--text)]"
          >
            {tab.label}
            {tab.count === undefined ? null : (
              <span className="ml-1.5 text-faint tabular-nums">{formatNumber(tab.count)}</span>
            )}
          </button>
        ))}
      </div>
      <Chosen value={{ id, value: chosen }}>{children}</Chosen>
    </div>
  )
}

type TabPanelProps = { value: string; children: ReactNode; className?: string }

/** Mounted only while it is the chosen one. */
export function TabPanel({ value, children, className }: TabPanelProps) {
  const chosen = use(Chosen)
  if (value !== chosen.value) return null
  return (
    <div
      role="tabpanel"
      id={panelId(chosen.id, value)}
      aria-labelledby={tabId(chosen.id, value)}
      tabIndex={0}
      className={cn("-outline-offset-2", className)}
    >
      {children}
    </div>
  )
}

function tabId(id: string, value: string): string {
  return `${id}-tab-${value}`
}

function panelId(id: string, value: string): string {
  return `${id}-panel-${value}`
}
