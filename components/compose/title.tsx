"use client"

import { useEffect, useSyncExternalStore } from "react"

// The title is on the page before the form, which is loaded for the browser alone.
let subject = ""
const listeners = new Set<() => void>()

/** Makes this subject the title of the page, until the form is left. */
export function useTitle(next: string) {
  useEffect(() => {
    change(next.trim())
    return () => change("")
  }, [next])
}

/** The subject of what is written. */
export function ComposeTitle() {
  return useSyncExternalStore(
    subscribe,
    () => subject || "Compose",
    () => "Compose",
  )
}

function change(next: string) {
  subject = next
  listeners.forEach((tell) => tell())
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
