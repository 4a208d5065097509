import { useSyncExternalStore } from "react"

/** Row height in pixels: one line, and two on a phone, as the classes of a row have it. */
export function useRowHeight(): number {
  return useSyncExternalStore(
    subscribeToWidth,
    () => (wide().matches ? 41 : 65),
    () => 41,
  )
}

/** Tailwind's `sm`. */
function wide(): MediaQueryList {
  return window.matchMedia("(min-width: 40rem)")
}

function subscribeToWidth(listener: () => void): () => void {
  const query = wide()
  query.addEventListener("change", listener)
  return () => query.removeEventListener("change", listener)
}
