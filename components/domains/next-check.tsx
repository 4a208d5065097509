"use client"

import { useSyncExternalStore } from "react"
import { nextCheckWords } from "@/components/domains/live"

/** "Next check in 38 s", counting down. */
export function NextCheck({ at }: { at: string }) {
  const now = useSyncExternalStore(everySecond, currentSecond, currentSecond)
  // Server and browser read their clocks moments apart; the words may differ and that is no fault.
  return (
    <span className="tabular-nums" suppressHydrationWarning>
      {nextCheckWords(Date.parse(at), now)}
    </span>
  )
}

function everySecond(tick: () => void): () => void {
  const timer = setInterval(tick, 1000)
  return () => clearInterval(timer)
}

function currentSecond(): number {
  return Math.floor(Date.now() / 1000) * 1000
}
