import type { NavGroup, NavItem } from "@/components/layout/nav"

/** The letter after `g` for a page, by the last part of its address; the overview has none. */
const goLetters: Record<string, string> = {
  overview: "o",
  emails: "e",
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

export type Place = { href: string; label: string; letter?: string }

/** Every page of the navigation with its letter, if it has one. */
export function placesOf(groups: NavGroup[], bottom: NavItem[] = []): Place[] {
  return [...groups.flatMap(({ items }) => items), ...bottom].map(({ href, label, exact }) => {
    const letter = goLetters[exact ? "overview" : (href.split("/").at(-1) ?? "")]
    return { href, label, ...(letter ? { letter } : {}) }
  })
}

export type Shortcut = { keys: string[]; what: string }
export type ShortcutGroup = { title: string; shortcuts: Shortcut[] }

/** Everything that the keyboard can do on every page, for the help. */
export function shortcutGroups(places: Place[], mod: string): ShortcutGroup[] {
  return [
    {
      title: "Everywhere",
      shortcuts: [
        { keys: [mod, "K"], what: "Go to, create or find" },
        { keys: ["?"], what: "This help" },
        { keys: ["Esc"], what: "Close what lies on top" },
      ],
    },
    {
      title: "In lists",
      shortcuts: [
        { keys: ["j"], what: "Next row" },
        { keys: ["k"], what: "Row before" },
        { keys: ["Enter"], what: "Open the row" },
      ],
    },
    {
      title: "Go to",
      shortcuts: places.flatMap(({ label, letter }) => (letter ? [{ keys: ["g", letter], what: label }] : [])),
    },
  ]
}

type Pressed = { key: string; metaKey: boolean; ctrlKey: boolean; altKey: boolean }

/** ⌘K or Ctrl K: also while typing, since it writes nothing. */
export function opensPalette({ key, metaKey, ctrlKey, altKey }: Pressed): boolean {
  return key.toLowerCase() === "k" && metaKey !== ctrlKey && !altKey
}

/** A single letter is a shortcut only where it cannot be text input. */
export function isPlain({ metaKey, ctrlKey, altKey }: Pressed): boolean {
  return !metaKey && !ctrlKey && !altKey
}

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.closest("input, textarea, select, dialog, [role=menu]") !== null
}
