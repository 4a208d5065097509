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
  return useTicks(tenSeconds)
}

/** Now, to the second, while the page is open. */
export function useSecond(): number {
  return useTicks(second)
}

function useTicks({ subscribe, read }: Ticks): number {
  const renderedAt = useContext(RenderedAt)
  return useSyncExternalStore(subscribe, read, () => read(renderedAt))
}

/** When this part of the page was opened; it stays. */
export function useOpenedAt(): number {
  const renderedAt = useContext(RenderedAt)
  const isTakenOver = useSyncExternalStore(subscribeToNothing, isNever, isAlways)
  const [openedAt] = useState(() => (isTakenOver && renderedAt) || Date.now())
  return openedAt
}

/** The server's clock as it goes on while the page is open, so that a reader's clock that is wrong asks for no other days. */
export function useServerClock(): () => number {
  const openedAt = useOpenedAt()
  const [since] = useState(() => Date.now())
  return () => openedAt + Date.now() - since
}

const subscribeToNothing = () => () => {}
const isNever = () => false
const isAlways = () => true

type Ticks = { subscribe: (listener: () => void) => () => void; read: (at?: number) => number }

/** One timer for all times on the page that change so often. */
function ticksOf(tickMs: number): Ticks {
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setInterval> | undefined
  return {
    subscribe(listener) {
      listeners.add(listener)
      timer ??= setInterval(() => listeners.forEach((tell) => tell()), tickMs)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
    read: (at = Date.now()) => Math.floor(at / tickMs) * tickMs,
  }
}

const second = ticksOf(1_000)
const tenSeconds = ticksOf(10_000)
