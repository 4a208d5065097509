"use client"

import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react"
import { cn } from "@/components/ui/cn"
import { MenuContext } from "@/components/ui/menu-items"
import { focusByKey, menuItems, placeMenu } from "@/components/ui/menu-keys"

export { MenuItem, MenuLabel, MenuLink, MenuSeparator } from "@/components/ui/menu-items"

type MenuProps = { trigger: ReactNode; children: ReactNode; align?: "start" | "end"; className?: string }

/** The trigger is one button; the children are MenuItem, MenuLink, MenuLabel, MenuSeparator. */
export function Menu({ trigger, children, align = "end", className }: MenuProps) {
  const id = useId()
  const anchor = useRef<HTMLSpanElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)

  function close() {
    setOpen(false)
    button(anchor.current)?.focus()
  }
  function onTriggerKey(event: KeyboardEvent) {
    if (event.key !== "ArrowDown" || open) return
    event.preventDefault()
    setOpen(true)
  }
  function onListKey(event: KeyboardEvent) {
    if (event.key === "Escape" || event.key === "Tab") {
      event.stopPropagation()
      if (event.key === "Escape") event.preventDefault()
      return close()
    }
    if (list.current && focusByKey(list.current, event.key)) event.preventDefault()
  }

  useEffect(() => {
    const control = button(anchor.current)
    control?.setAttribute("aria-haspopup", "menu")
    control?.setAttribute("aria-expanded", String(open))
    if (open) control?.setAttribute("aria-controls", id)
    else control?.removeAttribute("aria-controls")
  }, [open, id])

  useEffect(() => {
    if (!open || !list.current || !anchor.current) return
    const popup = list.current
    popup.showPopover?.()
    placeMenu(popup, button(anchor.current) ?? anchor.current, align)
    menuItems(popup)[0]?.focus({ preventScroll: true })
    const away = (event: Event) => {
      const inside =
        event.target instanceof Node && (popup.contains(event.target) || anchor.current?.contains(event.target))
      if (!inside) setOpen(false)
    }
    document.addEventListener("pointerdown", away)
    document.addEventListener("focusin", away)
    window.addEventListener("scroll", away, true)
    return () => {
      document.removeEventListener("pointerdown", away)
      document.removeEventListener("focusin", away)
      window.removeEventListener("scroll", away, true)
    }
  }, [open, align])

  return (
    <>
      <span ref={anchor} className="contents" onClick={() => setOpen((was) => !was)} onKeyDown={onTriggerKey}>
        {trigger}
      </span>
      {open ? (
        <div
          ref={list}
          id={id}
          role="menu"
          tabIndex={-1}
          popover="manual"
          onKeyDown={onListKey}
          onClick={(event) => event.stopPropagation()}
          className={cn(
            "fixed inset-auto m-0 max-w-[calc(100vw-1rem)] min-w-44 animate-appear overflow-y-auto rounded-lg border border-line-strong",
            "bg-panel p-1 text-left text-base font-normal whitespace-normal text-text shadow-float outline-hidden",
            className,
          )}
        >
          <MenuContext value={close}>{children}</MenuContext>
        </div>
      ) : null}
    </>
  )
}

function button(wrapper: HTMLElement | null): HTMLElement | null {
  return wrapper?.querySelector<HTMLElement>("button, a") ?? null
}
