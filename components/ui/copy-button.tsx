"use client"

import { Check, Copy } from "lucide-react"
import { Button } from "@/components/ui/button"
import { cn } from "@/components/ui/cn"
import { useEffect, useRef, useState } from "react"
import { writeClipboard } from "@/components/ui/write-clipboard"

type CopyChipProps = {
  value: string
  /** What is copied, for screen readers: "Copy host". */
  name: string
  className?: string
}

/** The small icon at the end of a value; a tick for a moment once it is copied. */
export function CopyChip({ value, name, className }: CopyChipProps) {
  const { state, copy } = useCopy()
  return (
    <button
      type="button"
      aria-label={state === "idle" ? `Copy ${name}` : words[state]}
      onClick={() => copy(value)}
      className={cn(
        "inline-flex size-6 shrink-0 items-center justify-center rounded-[5px] text-muted [&_svg]:size-3.5",
        "transition-colors hover:bg-sunken hover:text-text",
        state === "copied" && "text-good hover:text-good",
        state === "failed" && "text-bad hover:text-bad",
        className,
      )}
    >
      {state === "copied" ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
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
