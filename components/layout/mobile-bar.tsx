"use client"

import { Menu, Search, X } from "lucide-react"
import { usePathname } from "next/navigation"
import { useEffect, useRef, useState, type MouseEvent, type ReactNode } from "react"
import { IconButton } from "@/components/ui/icon-button"
import { openOverlay, useOverlay } from "@/components/layout/overlay"

/** Below 1024 px: a bar with a button that opens the navigation as a sheet over the page. */
export function MobileBar({ title, children }: { title: ReactNode; children: ReactNode }) {
  const sheet = useRef<HTMLDialogElement>(null)
  const [open, setOpen] = useState(false)
  const path = usePathname()

  const overlay = useOverlay()

  // The sheet makes way for the page that was chosen in it, and for the palette.
  useEffect(() => sheet.current?.close(), [path, overlay])
  function show() {
    setOpen(true)
    sheet.current?.showModal()
  }
  function onClick(event: MouseEvent<HTMLDialogElement>) {
    const onVeil = event.target === event.currentTarget
    const onLink = event.target instanceof Element && event.target.closest("a") !== null
    if (onVeil || onLink) sheet.current?.close()
  }

  return (
    <header className="sticky top-0 z-30 flex items-center gap-2 border-b border-line bg-sunken px-3 py-2 lg:hidden">
      <IconButton label="Open menu" icon={<Menu />} aria-haspopup="dialog" aria-expanded={open} onClick={show} />
      <div className="flex min-w-0 flex-1">{title}</div>
      <IconButton label="Search" icon={<Search />} aria-haspopup="dialog" onClick={() => openOverlay("palette")} />
      <dialog
        ref={sheet}
        aria-label="Menu"
        onClick={onClick}
        onClose={() => setOpen(false)}
        className="m-0 h-dvh max-h-none w-72 max-w-[calc(100vw-3rem)] animate-slide-in border-r border-line bg-sunken text-text
          backdrop:bg-veil"
      >
        {open ? (
          <div className="relative flex min-h-full flex-col px-2.5 py-3">
            <div className="mb-1 flex justify-end">
              <IconButton label="Close menu" icon={<X />} onClick={() => sheet.current?.close()} />
            </div>
            {children}
          </div>
        ) : null}
      </dialog>
    </header>
  )
}
