"use client"

import { Search } from "lucide-react"
import { Kbd } from "@/components/ui/kbd"
import { openOverlay } from "@/components/layout/overlay"
import { useModKey } from "@/components/layout/use-mod-key"

/** Opens the palette and shows its shortcut. */
export function SearchButton() {
  const mod = useModKey()
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => openOverlay("palette")}
      className="flex h-8 w-full items-center gap-2 rounded-md border border-line-strong bg-panel px-2 text-muted transition-colors
        hover:border-muted hover:text-text"
    >
      <Search aria-hidden="true" className="size-4 shrink-0" />
      <span className="flex-1 truncate text-left">Search</span>
      <span className="flex gap-1">
        <Kbd>{mod}</Kbd>
        <Kbd>K</Kbd>
      </span>
    </button>
  )
}
