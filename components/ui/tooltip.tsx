"use client"

import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react"
import { cn } from "@/components/ui/cn"

type TooltipProps = {
  text: ReactNode
  children: ReactNode
  /** The text repeats the name of the control, so it is not read a second time. */
  names?: boolean
  className?: string
}

const closeAfterMs = 120

/** Shown on hover and focus, stays while the pointer rests on it, goes with Escape (WCAG 1.4.13). */
export function Tooltip({ text, children, names, className }: TooltipProps) {
  const id = useId()
  const anchor = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [open, setOpen] = useState(false)

  function show() {
    clearTimeout(timer.current)
    setOpen(true)
  }
  function leave() {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setOpen(false), closeAfterMs)
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Escape" && open) setOpen(false)
  }

  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (!open) return
    const control = anchor.current?.firstElementChild
    if (!names) control?.setAttribute("aria-describedby", id)
    const close = () => setOpen(false)
    window.addEventListener("scroll", close, true)
    return () => {
      if (!names) control?.removeAttribute("aria-describedby")
      window.removeEventListener("scroll", close, true)
    }
  }, [open, names, id])

  return (
    <span
      ref={anchor}
      className={cn("inline-flex max-w-full align-top", className)}
      onPointerEnter={show}
      onPointerLeave={leave}
      onFocus={show}
      onBlur={leave}
      onKeyDown={onKeyDown}
    >
      {children}
      {open ? (
        <span
          id={id}
          role="tooltip"
          popover="manual"
          ref={(bubble) => place(bubble, anchor.current)}
          className="fixed inset-auto m-0 max-w-72 animate-appear rounded-md border border-line-strong bg-panel px-2.5 py-1.5
            text-left text-xs font-normal whitespace-normal text-text shadow-float"
        >
          {text}
        </span>
      ) : null}
    </span>
  )
}

/** Puts the bubble above its anchor, or below where there is no room, and always inside the window. */
function place(bubble: HTMLElement | null, anchor: HTMLElement | null) {
  const target = anchor?.firstElementChild
  if (!bubble || !target) return
  bubble.showPopover?.()
  const gap = 6
  const edge = 8
  const at = target.getBoundingClientRect()
  const size = bubble.getBoundingClientRect()
  const wished = at.left + at.width / 2 - size.width / 2
  const left = Math.max(edge, Math.min(wished, document.documentElement.clientWidth - size.width - edge))
  const above = at.top - size.height - gap
  bubble.style.left = `${left}px`
  bubble.style.top = `${above >= edge ? above : at.bottom + gap}px`
}
