"use client"

import { type KeyPlace, useModKey } from "@/components/layout/keys"
import { closeOverlay } from "@/components/layout/overlay"
import { Dialog } from "@/components/ui/dialog"
import { Kbd } from "@/components/ui/text"

/** All keys in one place. */
export default function ShortcutHelp({ places }: { places: KeyPlace[] }) {
  const mod = useModKey()
  return (
    <Dialog
      open
      onOpenChange={() => closeOverlay("help")}
      title="Keyboard shortcuts"
      description="Not active while you type in a field."
      size="large"
    >
      <div className="gap-x-8 sm:columns-2">
        {shortcutGroups(places, mod).map(({ title, shortcuts }) => (
          <section key={title} className="mb-5 break-inside-avoid last:mb-0">
            <h3 className="pb-1 text-xs text-faint">{title}</h3>
            <dl className="divide-y divide-line border-y border-line">
              {shortcuts.map(({ keys, what }) => (
                <div key={what} className="flex min-h-9 items-center justify-between gap-4 py-1.5">
                  <dt>{what}</dt>
                  <dd className="flex shrink-0 items-center gap-1 text-xs text-muted">
                    {keys.map((key, index) => (
                      <span key={key} className="contents">
                        {index > 0 && keys[0] === "g" ? "then" : null}
                        <Kbd>{key}</Kbd>
                      </span>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

type Shortcut = { keys: string[]; what: string }
type ShortcutGroup = { title: string; shortcuts: Shortcut[] }

/** Everything that the keyboard can do on every page, for the help. */
export function shortcutGroups(places: KeyPlace[], mod: string): ShortcutGroup[] {
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
