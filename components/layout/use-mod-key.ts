"use client"

import { useSyncExternalStore } from "react"
import { never } from "@/components/ui/use-in-browser"

/** "⌘" on Apple's machines, "Ctrl" elsewhere and until the browser has spoken. */
export function useModKey(): string {
  return useSyncExternalStore(never, read, () => "Ctrl")
}

function read(): string {
  return /mac|iphone|ipad/i.test(navigator.userAgent) ? "⌘" : "Ctrl"
}
