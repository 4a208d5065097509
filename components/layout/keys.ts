import { type ReactNode, useSyncExternalStore } from "react"
import type { CallAnswer } from "@/components/data/call"
import { never } from "@/components/ui/page-start"

export type NavItem = {
  href: string
  label: string
  icon: ReactNode
  /** Whose number is shown beside it. */
  counted?: CountedItem
  /** Only this very page counts, not those below it; for an overview at the root. */
  exact?: boolean
}

type CountedItem = Exclude<keyof CallAnswer<"GET /v1/projects/{projectId}/counts">, "attention">

export type NavGroup = { label?: string; items: NavItem[] }

export function isActive(item: Pick<NavItem, "href" | "exact">, path: string): boolean {
  if (path === item.href) return true
  return !item.exact && path.startsWith(`${item.href}/`)
}

/** The key after `g` for a page, by the last part of its address; the overview has none. */
const goKeys: Record<string, string> = {
  overview: "o",
  emails: "e",
  broadcasts: "b",
  templates: "n",
  inbound: "y",
  stream: "l",
  sandbox: "m",
  contacts: "c",
  segments: "g",
  topics: "t",
  properties: "p",
  suppressions: "u",
  domains: "d",
  webhooks: "w",
  "api-keys": "k",
  metrics: "i",
  dmarc: "r",
  logs: "a",
  settings: "s",
  docs: "h",
}

export type KeyPlace = { href: string; label: string; icon?: ReactNode; key?: string }

type Named = Pick<NavItem, "href" | "label" | "exact"> & Partial<Pick<NavItem, "icon">>

/** Every page of the navigation with its key, if it has one. */
export function placesOf(groups: { items: Named[] }[], bottom: Named[] = []): KeyPlace[] {
  return [...groups.flatMap(({ items }) => items), ...bottom].map(({ href, label, icon, exact }) => {
    const key = goKeys[exact ? "overview" : (href.split("/").at(-1) ?? "")]
    return { href, label, icon, ...(key ? { key } : {}) }
  })
}

type Pressed = { key: string; metaKey: boolean; ctrlKey: boolean; altKey: boolean }

/** ⌘K or Ctrl K: also while typing, since it writes nothing. */
export function opensPalette({ key, metaKey, ctrlKey, altKey }: Pressed): boolean {
  return key.toLowerCase() === "k" && metaKey !== ctrlKey && !altKey
}

/** A single letter is a shortcut only where it cannot be text input. */
export function isPlainKey({ metaKey, ctrlKey, altKey }: Pressed): boolean {
  return !metaKey && !ctrlKey && !altKey
}

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.closest("input, textarea, select, dialog, [role=menu]") !== null
}

/** "⌘" on Apple's machines, "Ctrl" elsewhere and until the browser has spoken. */
export function useModKey(): string {
  return useSyncExternalStore(never, read, () => "Ctrl")
}

function read(): string {
  return /mac|iphone|ipad/i.test(navigator.userAgent) ? "⌘" : "Ctrl"
}
