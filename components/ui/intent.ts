import { useEffect, useSyncExternalStore } from "react"

/** Dialogs that can be asked for from elsewhere, before the page that holds them has come. */
export type Intent =
  | "add-domain"
  | "create-api-key"
  | "add-contact"
  | "create-topic"
  | "define-property"
  | "suppress-address"
  | "invite-member"

/** A page that has not answered by then does not offer it: the wish must not open something much later. */
const keptMs = 8_000

let wanted: { intent: Intent; until: number } | null = null
const listeners = new Set<() => void>()

/** Opens the dialog of this name, here or on the page that comes next. */
export function intend(intent: Intent) {
  wanted = { intent, until: Date.now() + keptMs }
  tell()
}

/** Calls `act` once when the pointer or the focus reaches the element. */
export function useIntent(intent: Intent | undefined, act: () => void) {
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
