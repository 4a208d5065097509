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
        { keys: ["Esc"], what: "Close a dialog, menu or panel" },
      ],
    },
    {
      title: "In lists",
      shortcuts: [
        { keys: ["j"], what: "Next row" },
        { keys: ["k"], what: "Previous row" },
        { keys: ["Enter"], what: "Open the row" },
      ],
    },
    {
      title: "In Emails",
      shortcuts: [
        { keys: ["/"], what: "Search emails" },
        { keys: ["Space"], what: "Read the email beside the list" },
        { keys: ["x"], what: "Select the row" },
      ],
    },
    {
      title: "Go to",
      shortcuts: places.flatMap(({ label, key }) => (key ? [{ keys: ["g", key], what: label }] : [])),
    },
  ]
}
