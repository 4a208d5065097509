"use client"

import {
  useEffect,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  createContext,
  useContext,
  type PointerEvent,
} from "react"
import { cn } from "@/components/ui/cn"
import { Check } from "lucide-react"
import Link from "next/link"

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

/** The items of a menu that can be reached, in order. */
function menuItems(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>("[role^=menuitem]:not([aria-disabled=true])")]
}

/** Moves the focus as the ARIA practices say for a menu; true when the key meant something. */
function focusByKey(menu: HTMLElement, key: string): boolean {
  const items = menuItems(menu)
  const at = items.findIndex((item) => item === document.activeElement)
  const next = itemForKey(items, at, key)
  next?.focus()
  return next !== undefined
}

function itemForKey(items: HTMLElement[], at: number, key: string): HTMLElement | undefined {
  if (key === "ArrowDown") return items[(at + 1) % items.length]
  if (key === "ArrowUp") return items[(at <= 0 ? items.length : at) - 1]
  if (key === "Home") return items[0]
  if (key === "End") return items.at(-1)
  if (key.length !== 1 || key === " ") return undefined
  const rotated = [...items.slice(at + 1), ...items.slice(0, at + 1)]
  return rotated.find((item) => item.textContent?.trim().toLowerCase().startsWith(key.toLowerCase()))
}

const gap = 4
const edge = 8

/** Below its button where there is room, above it otherwise; never outside the window. */
function placeMenu(menu: HTMLElement, control: HTMLElement, align: "start" | "end") {
  const at = control.getBoundingClientRect()
  const size = menu.getBoundingClientRect()
  const below = innerHeight - at.bottom - gap - edge
  const above = at.top - gap - edge
  const goesUp = size.height > below && above > below
  const wished = align === "start" ? at.left : at.right - size.width
  const height = Math.min(size.height, goesUp ? above : below)
  menu.style.maxHeight = `${goesUp ? above : below}px`
  menu.style.left = `${Math.max(edge, Math.min(wished, document.documentElement.clientWidth - size.width - edge))}px`
  menu.style.top = `${goesUp ? at.top - gap - height : at.bottom + gap}px`
}

/** Closes the menu around an item and gives the focus back to its button. */
const MenuContext = createContext<() => void>(() => undefined)

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
