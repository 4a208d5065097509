"use client"

import { Dialog } from "@/components/ui/dialog"
import { Kbd } from "@/components/ui/kbd"
import type { Place } from "@/components/layout/keys"
import { closeOverlay } from "@/components/layout/overlay"
import { shortcutGroups } from "@/components/layout/shortcut-groups"
import { useModKey } from "@/components/layout/use-mod-key"

/** All keys in one place. */
export default function ShortcutHelp({ places }: { places: Place[] }) {
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
