"use client"

import { Tabs as Primitive } from "radix-ui"
import type { ReactNode } from "react"
import { cn } from "./cn"

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

/** Arrow keys move, Home and End jump. Give value and onValueChange to keep the choice in the URL. */
export function Tabs({ tabs, label, value, defaultValue, onValueChange, children, flush, className }: TabsProps) {
  const first = defaultValue ?? (value === undefined ? tabs[0]?.value : undefined)
  return (
    <Primitive.Root value={value} defaultValue={first} onValueChange={onValueChange} className={cn("min-w-0", className)}>
      <Primitive.List
        aria-label={label}
        className={cn("relative flex gap-5 overflow-x-auto border-b border-line [scrollbar-width:none]", flush ? "px-0" : "px-4")}
      >
        {tabs.map((tab) => (
          <Primitive.Trigger
            key={tab.value}
            value={tab.value}
            className="shrink-0 py-2.5 whitespace-nowrap text-muted -outline-offset-2 transition-colors hover:text-text
              data-[state=active]:text-text data-[state=active]:shadow-[inset_0_-2px_var(--text)]"
          >
            {tab.label}
            {tab.count === undefined ? null : <span className="ml-1.5 text-faint tabular-nums">{tab.count.toLocaleString("en")}</span>}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {children}
    </Primitive.Root>
  )
}

type TabPanelProps = { value: string; children: ReactNode; className?: string }

/** Mounted only while it is the chosen one. */
export function TabPanel({ value, children, className }: TabPanelProps) {
  return (
    <Primitive.Content value={value} className={cn("-outline-offset-2", className)}>
      {children}
    </Primitive.Content>
  )
}
