"use client"

import { useSyncExternalStore } from "react"
import type { HostStyle } from "@/components/domains/records"

const storageKey = "mailroom.host-style"
const listeners = new Set<() => void>()
let chosen: HostStyle | undefined

/** How hosts are written, remembered in this browser: most people have one DNS provider, whose form wants one way. */
export function useHostStyle(): [HostStyle, (style: HostStyle) => void] {
  return [useSyncExternalStore(subscribe, read, () => "relative"), choose]
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function read(): HostStyle {
  chosen ??= stored()
  return chosen
}

function choose(style: HostStyle) {
  chosen = style
  try {
    localStorage.setItem(storageKey, style)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  listeners.forEach((tell) => tell())
}

function stored(): HostStyle {
  try {
    return localStorage.getItem(storageKey) === "absolute" ? "absolute" : "relative"
  } catch {
    return "relative"
  }
}
