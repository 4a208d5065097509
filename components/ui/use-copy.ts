"use client"

import { useEffect, useRef, useState } from "react"
import { writeClipboard } from "@/components/ui/write-clipboard"

export type CopyState = "idle" | "copied" | "failed"

const shownMs = 1600

export function useCopy(): { state: CopyState; copy: (text: string) => Promise<void> } {
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
