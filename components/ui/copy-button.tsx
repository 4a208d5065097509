"use client"

import { Check, Copy } from "lucide-react"
import { Button } from "@/components/ui/button"
import { cn } from "@/components/ui/cn"
import { useEffect, useRef, useState, type ReactNode } from "react"

type CopyChipProps = {
  value: string
  /** What is copied, for screen readers: "Copy host". */
  name: string
  className?: string
}

/** The icon at the end of a value that copies it: a tick once it has. */
export function CopyChip({ value, name, className }: CopyChipProps) {
  const { state, copy } = useCopy()
  const Icon = icons[state]
  return (
    <button
      type="button"
      title={state === "failed" ? "The browser refused to copy." : `Copy ${name}`}
      aria-label={state === "idle" ? `Copy ${name}` : words[state]}
      onClick={() => copy(value)}
      className={cn(
        "inline-flex size-6 shrink-0 items-center justify-center rounded-[5px] text-faint [&_svg]:size-3.5",
        "transition-colors hover:bg-wait-soft hover:text-text",
        state === "copied" && "text-good hover:text-good",
        state === "failed" && "text-bad hover:text-bad",
        className,
      )}
    >
      <Icon aria-hidden="true" />
      <span aria-live="polite" className="sr-only">
        {state === "idle" ? "" : words[state]}
      </span>
    </button>
  )
}

type CopyButtonProps = {
  value: string
  children: string
  variant?: "default" | "primary" | "ghost"
  size?: "small" | "medium"
}

/** A whole button that copies, such as "Copy all". */
export function CopyButton({ value, children, variant, size }: CopyButtonProps) {
  const { state, copy } = useCopy()
  return (
    <Button variant={variant} size={size} icon={state === "copied" ? <Check /> : <Copy />} onClick={() => copy(value)}>
      <span aria-live="polite">{state === "idle" ? children : words[state]}</span>
    </Button>
  )
}

const icons = { idle: Copy, copied: Check, failed: Copy }

const words: Record<CopyState, string> = { idle: "Copy", copied: "Copied", failed: "Failed" }

type CopyState = "idle" | "copied" | "failed"

const shownMs = 1600

function useCopy(): { state: CopyState; copy: (text: string) => Promise<void> } {
  const [state, setState] = useState<CopyState>("idle")
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  async function copy(text: string) {
    const copied = await writeClipboard(text)
    clearTimeout(timer.current)
    setState(copied ? "copied" : "failed")
    timer.current = setTimeout(() => setState("idle"), shownMs)
  }
  return { state, copy }
}

/** True when the text was copied. Falls back to a selection where the page is served without TLS. */
export async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

/** `navigator.clipboard` is missing on plain http, which is how many install the product first. */
function copyBySelection(text: string): boolean {
  const before = document.activeElement
  const holder = document.createElement("textarea")
  const parent = before?.closest("dialog") ?? document.body
  holder.value = text
  holder.className = "sr-only"
  parent.append(holder)
  holder.select()
  const copied = document.execCommand("copy")
  holder.remove()
  if (before instanceof HTMLElement) before.focus()
  return copied
}

type CopyTextProps = {
  value: string
  /** What it is, for screen readers: "host", "value", "request id". */
  name: string
  /** Shown instead of the value, for example a shortened id. */
  display?: ReactNode
  /** Breaks over lines instead of ending in an ellipsis. */
  wrap?: boolean
  /** The chip follows the text rather than being at the end of the cell. */
  inline?: boolean
  /** A press anywhere in the cell, which must be `relative group/copy`, copies; the icon waits for hover and focus. */
  wholeCell?: boolean
  className?: string
}

/** A value in monospace with its copy chip: for table cells, ids and keys. */
export function CopyText({ value, name, display, wrap, inline, wholeCell, className }: CopyTextProps) {
  return (
    <span
      className={cn(
        "flex min-w-0 items-start gap-2",
        inline ? "inline-flex max-w-full align-top" : "justify-between",
        className,
      )}
    >
      <code title={value} className={cn("min-w-0", wrap ? "[overflow-wrap:anywhere]" : "truncate")}>
        {display ?? value}
      </code>
      <CopyChip value={value} name={name} className={cn("-my-0.5", wholeCell && inWholeCell)} />
    </span>
  )
}

// Where nothing hovers, the icon is always there.
const inWholeCell =
  "after:absolute after:inset-0 hover:bg-transparent [@media(hover:hover)]:opacity-0 group-hover/copy:opacity-100! focus-visible:opacity-100!"
