import { useSyncExternalStore } from "react"

/** What lies over the page on behalf of the whole dashboard: one thing at a time. */
export type Overlay = "palette" | "help" | "new-project"

let shown: Overlay | null = null
let typed = ""
const listeners = new Set<() => void>()

export function openOverlay(overlay: Overlay) {
  change(overlay)
}

/** With a name it closes that one alone: what ends late does not take down what has come after it. */
export function closeOverlay(only?: Overlay) {
  if (only === undefined || shown === only) change(null)
}

export function overlayShown(): Overlay | null {
  return shown
}

/** Keeps what is typed for an overlay whose code is still loading. */
export function typeEarly(text: string) {
  typed += text
}

export function typedEarly(): string {
  return typed
}

export function useOverlay(): Overlay | null {
  return useSyncExternalStore(subscribe, overlayShown, () => null)
}

function change(next: Overlay | null) {
  if (shown === next) return
  shown = next
  typed = ""
  listeners.forEach((tell) => tell())
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
