"use client"

import Link from "next/link"
import type { ComponentProps, KeyboardEvent, MouseEvent } from "react"
import { cn } from "@/components/ui/cn"
import { useWanted } from "@/components/ui/leaving"
import { useGo } from "@/components/ui/use-go"

type TableRowProps = Omit<ComponentProps<"tr">, "onClick" | "onKeyDown"> & {
  /** Opened by click or Enter; by Ctrl, ⌘ or the middle button in a new tab. */
  href?: string
  /** Instead of href, where the row opens something on the same page. */
  onOpen?: () => void
  selected?: boolean
}

/** Give the first cell a RowLink to the same href, so that screen readers meet a link. */
export function TableRow({ href, onOpen, selected, className, ...rest }: TableRowProps) {
  const go = useGo()
  const going = useWanted((wanted) => wanted !== null && wanted === href)
  const opens = Boolean(href ?? onOpen)

  function open(newTab: boolean) {
    if (!href) return onOpen?.()
    if (newTab) window.open(href, "_blank", "noopener")
    else go(href)
  }
  function onClick(event: MouseEvent<HTMLTableRowElement>) {
    if (event.button > 1 || isControl(event.target, event.currentTarget) || hasSelection()) return
    open(event.button === 1 || event.metaKey || event.ctrlKey)
  }
  function onKeyDown(event: KeyboardEvent<HTMLTableRowElement>) {
    if (event.key !== "Enter" || event.target !== event.currentTarget) return
    event.preventDefault()
    open(event.metaKey || event.ctrlKey)
  }

  return (
    <tr
      data-row={opens || undefined}
      tabIndex={opens ? 0 : undefined}
      aria-selected={selected}
      onClick={opens ? onClick : undefined}
      onAuxClick={opens ? onClick : undefined}
      onKeyDown={opens ? onKeyDown : undefined}
      className={cn(
        "-outline-offset-2",
        opens && "cursor-pointer hover:bg-sunken focus-visible:bg-sunken",
        selected && "bg-accent-soft hover:bg-accent-soft focus-visible:bg-accent-soft",
        going && "bg-wait-soft",
        className,
      )}
      {...rest}
    />
  )
}

/** The link in a row's first cell. The row itself is the stop of the Tab key, so this is none. */
export function RowLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return <Link tabIndex={-1} className={cn("font-medium hover:underline", className)} {...rest} />
}

function isControl(target: EventTarget, row: HTMLElement): boolean {
  if (!(target instanceof Element)) return false
  const control = target.closest("a, button, input, select, textarea, label, dialog, [role=menu]")
  return control !== null && row.contains(control)
}

function hasSelection(): boolean {
  return (window.getSelection()?.toString() ?? "") !== ""
}
