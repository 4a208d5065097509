import { useEffect, useSyncExternalStore } from "react"

/** A page that has not answered by then does not offer it: the wish must not open something much later. */
const keptMs = 30_000

let wanted: { intent: string; until: number } | null = null
const listeners = new Set<() => void>()

/** Opens the dialog of this name, here or on the page that comes next. */
export function intend(intent: string) {
  wanted = { intent, until: Date.now() + keptMs }
  tell()
}

/** Calls `act` once when this dialog is asked for, here or on the page before. */
export function useIntent(intent: string | undefined, act: () => void) {
  const asked = useSyncExternalStore(
    subscribe,
    () => wanted !== null && wanted.intent === intent,
    () => false,
  )
  useEffect(() => {
    if (!asked || !wanted) return
    const fresh = Date.now() < wanted.until
    wanted = null
    tell()
    if (fresh) act()
  }, [asked, act])
}

function tell() {
  listeners.forEach((listener) => listener())
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
