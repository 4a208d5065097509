"use client"

import { useSyncExternalStore } from "react"
import { relativeWords } from "@/components/ui/time-words"

type RelativeTimeProps = { at: string | number | Date; className?: string }

/** "2 minutes ago", updated while the page is open; the exact time on hover. */
export function RelativeTime({ at, className }: RelativeTimeProps) {
  const now = useSyncExternalStore(subscribe, readNow, readNow)
  const date = new Date(at)
  const iso = date.toISOString()
  return (
    // Server and browser read their clocks moments apart, so the text may differ; React must not report that.
    <time dateTime={iso} title={iso} className={className} suppressHydrationWarning>
      {relativeWords(date.getTime(), now)}
    </time>
  )
}

const tickMs = 10_000
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** One timer for all times on the page. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => listeners.forEach((tell) => tell()), tickMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function readNow(): number {
  return Math.floor(Date.now() / tickMs) * tickMs
}
