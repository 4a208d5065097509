"use client"

import { Check } from "lucide-react"
import Link from "next/link"
import { createContext, useContext, type PointerEvent, type ReactNode } from "react"
import { cn } from "@/components/ui/cn"

/** Closes the menu around an item and gives the focus back to its button. */
export const MenuContext = createContext<() => void>(() => undefined)

type MenuItemProps = {
  children: ReactNode
  onSelect: () => void
  icon?: ReactNode
  /** Shown at the end, for example a Kbd. */
  aside?: ReactNode
  danger?: boolean
  disabled?: boolean
  /** One of several, of which one is chosen. */
  checked?: boolean
}

export function MenuItem({ children, onSelect, icon, aside, danger, disabled, checked }: MenuItemProps) {
  const close = useContext(MenuContext)
  function choose() {
    if (disabled) return
    close()
    onSelect()
  }
  return (
    <button
      type="button"
      role={checked === undefined ? "menuitem" : "menuitemradio"}
      aria-checked={checked}
      tabIndex={-1}
      aria-disabled={disabled}
      onClick={choose}
      onPointerMove={focusUnderPointer}
      className={cn(itemStyle, danger && "text-bad focus:bg-bad-soft [&_svg]:text-bad")}
    >
      {icon}
      <span className="min-w-0 flex-1">{children}</span>
      {checked ? <Check aria-hidden="true" /> : aside}
    </button>
  )
}

type MenuLinkProps = {
  href: string
  children: ReactNode
  icon?: ReactNode
  download?: boolean
  newTab?: boolean
  /** Where one is now: marked with a tick. */
  current?: boolean
}

export function MenuLink({ href, children, icon, download, newTab, current }: MenuLinkProps) {
  const close = useContext(MenuContext)
  const attributes = {
    href,
    role: "menuitem",
    tabIndex: -1,
    "aria-current": current ? ("true" as const) : undefined,
    onClick: close,
    onPointerMove: focusUnderPointer,
    className: itemStyle,
  }
  const inside = (
    <>
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {current ? <Check aria-hidden="true" /> : null}
    </>
  )
  if (!download && !newTab) return <Link {...attributes}>{inside}</Link>
  return (
    <a {...attributes} download={download} target={newTab ? "_blank" : undefined} rel="noopener">
      {inside}
    </a>
  )
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return (
    <div role="presentation" className="truncate px-2 pt-1.5 pb-1 text-xs text-faint">
      {children}
    </div>
  )
}

export function MenuSeparator() {
  return <div role="separator" className="-mx-1 my-1 h-px bg-line" />
}

function focusUnderPointer(event: PointerEvent<HTMLElement>) {
  if (document.activeElement !== event.currentTarget) event.currentTarget.focus({ preventScroll: true })
}

const itemStyle =
  "flex min-h-8 w-full items-center gap-2 rounded-md px-2 py-1.5 text-left outline-hidden select-none focus:bg-wait-soft " +
  "aria-disabled:cursor-not-allowed aria-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted"
