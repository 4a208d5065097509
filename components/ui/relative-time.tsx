"use client"

import { createContext, useContext, useState, useSyncExternalStore } from "react"
import { relativeWords } from "@/components/ui/time-words"

type RelativeTimeProps = { at: string | number | Date; className?: string }

/** "2 minutes ago", updated while the page is open; the exact time on hover. */
export function RelativeTime({ at, className }: RelativeTimeProps) {
  const now = useNow()
  const date = new Date(at)
  const iso = date.toISOString()
  return (
    <time dateTime={iso} title={iso} className={className}>
      {relativeWords(date.getTime(), now)}
    </time>
  )
}

/**
 * When the server rendered the page, in milliseconds since 1970. A browser takes over what the server wrote by the same clock: its own is
 * moments later, and a word such as "tomorrow" may be another one by then.
 */
export const RenderedAt = createContext<number | undefined>(undefined)

/** Now, to ten seconds, while the page is open. */
export function useNow(): number {
  const renderedAt = useContext(RenderedAt)
  return useSyncExternalStore(subscribe, readNow, () => toTick(renderedAt ?? Date.now()))
}

/** When this part of the page was opened; it stays. */
export function useOpenedAt(): number {
  const renderedAt = useContext(RenderedAt)
  const isTakenOver = useSyncExternalStore(subscribeToNothing, isNever, isAlways)
  const [openedAt] = useState(() => (isTakenOver && renderedAt) || Date.now())
  return openedAt
}

const subscribeToNothing = () => () => {}
const isNever = () => false
const isAlways = () => true

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
  return toTick(Date.now())
}

function toTick(ms: number): number {
  return Math.floor(ms / tickMs) * tickMs
}
