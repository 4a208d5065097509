"use client"

import { useSyncExternalStore } from "react"

/** "⌘" on Apple's machines, "Ctrl" elsewhere and until the browser has spoken. */
export function useModKey(): string {
  return useSyncExternalStore(never, read, () => "Ctrl")
}

function never() {
  return () => undefined
}

function read(): string {
  return /mac|iphone|ipad/i.test(navigator.userAgent) ? "⌘" : "Ctrl"
}
