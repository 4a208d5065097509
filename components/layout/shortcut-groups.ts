import type { Place } from "@/components/layout/keys"

type Shortcut = { keys: string[]; what: string }
type ShortcutGroup = { title: string; shortcuts: Shortcut[] }

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
      shortcuts: places.flatMap(({ label, key }) => (key ? [{ keys: ["g", key], what: label }] : [])),
    },
  ]
}
