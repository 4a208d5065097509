import { useState, useSyncExternalStore } from "react"
import type { Email } from "@/components/emails/types"

type Held = {
  /** Names the list: another one is shown at once. */
  list: string
  emails: Email[]
  /** Somebody reads or works in the rows, so none may move. */
  hold: boolean
}

/** The rows to show: while they are held, those from before with the status of now. `waiting` are newer than all of them. */
export function useHeld({ list, emails, hold }: Held) {
  const [kept, setKept] = useState({ list, emails })
  if (kept.emails !== emails && (!hold || kept.list !== list)) setKept({ list, emails })
  const now = new Map(emails.map((email) => [email.id, email]))
  const [newest] = kept.emails
  const waiting = newest ? emails.filter(({ id }) => id > newest.id).length : emails.length
  return {
    shown: kept.emails.map((email) => now.get(email.id) ?? email),
    waiting,
    release: () => setKept({ list, emails }),
  }
}

const farPixels = 120

/** Whether the page is scrolled beyond its head. */
export function useScrolled(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => window.scrollY > farPixels,
    () => false,
  )
}

function subscribe(listener: () => void) {
  window.addEventListener("scroll", listener, { passive: true })
  return () => window.removeEventListener("scroll", listener)
}
