"use client"

import { Check, Copy } from "lucide-react"
import { Button } from "@/components/ui/button"
import { cn } from "@/components/ui/cn"
import { useEffect, useRef, useState } from "react"

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
