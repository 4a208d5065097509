import { useSyncExternalStore } from "react"
import { noteWay } from "@/components/ui/way-back"

/** A navigation that was held back: something on the page is not saved, or there is no connection. */
export type Held = { href: string; why: "unsaved" | "offline"; save?: SaveChanges }

/** Saves what was typed. False where that was refused, which its form then says. */
export type SaveChanges = () => Promise<boolean>

/** `wanted` is the path whose page is on its way. */
type Leaving = { wanted: string | null; held: Held | null }

const nothing: Leaving = { wanted: null, held: null }
let state = nothing
const unsaved = new Map<symbol, SaveChanges | undefined>()
const listeners = new Set<() => void>()

/** Whether the page may be left for this address now; if so, its navigation shows at once. */
export function leaveFor(href: string): boolean {
  const to = new URL(href, location.href)
  if (to.pathname === location.pathname) return true
  const why = unsaved.size ? "unsaved" : navigator.onLine ? null : "offline"
  change(why ? { wanted: null, held: { href, why, save: unsavedChanges() } } : { wanted: to.pathname, held: null })
  if (!why) noteWay(to)
  return why === null
}

/** The page is there, or the person stays. */
export function settleLeaving() {
  change(nothing)
}

/** Keeps the page until what was typed is saved or given up. */
export function holdPage(save?: SaveChanges): () => void {
  const holder = Symbol("unsaved")
  unsaved.set(holder, save)
  return () => unsaved.delete(holder)
}

export function hasUnsaved(): boolean {
  return unsaved.size > 0
}

/** What saves all that is not saved yet; undefined where something of it cannot be saved as it is. */
function unsavedChanges(): SaveChanges | undefined {
  const saves = [...unsaved.values()]
  if (!saves.every((save) => save !== undefined)) return undefined
  return async () => {
    for (const save of saves) if (!(await save())) return false
    return true
  }
}

/** The person gives up what is not saved. */
export function dropUnsaved() {
  unsaved.clear()
}

/** Says something of the path whose page is on its way: who asks renders anew only when the answer is another. */
export function useWanted(ask: (wanted: string | null) => boolean): boolean {
  return useSyncExternalStore(
    subscribe,
    () => ask(state.wanted),
    () => ask(null),
  )
}

export function useLeaving(): Leaving {
  return useSyncExternalStore(
    subscribe,
    () => state,
    () => nothing,
  )
}

function change(next: Leaving) {
  if (next === state) return
  state = next
  listeners.forEach((tell) => tell())
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
