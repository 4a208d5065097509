import { useSyncExternalStore } from "react"

/** False on the server and during hydration, then true: the reader's time zone and stored choices are known in the browser alone. */
export function useInBrowser(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}

/** Subscribes to what does not change by itself. */
export function never() {
  return () => undefined
}
