import { useSyncExternalStore, useCallback, useEffect, useRef } from "react"
import { useRouter } from "next/navigation"

/** A navigation that was held back: something on the page is not saved, or there is no connection. */
type Held = { href: string; why: "unsaved" | "offline"; save?: SaveChanges }

/** Saves what was typed. False where that was refused, which its form then says. */
export type SaveChanges = () => Promise<boolean>

/** `wanted` is the path whose page is on its way. */
type Leaving = { wanted: string | null; held: Held | null }

const nothing: Leaving = { wanted: null, held: null }
let state = nothing
const unsaved = new Map<symbol, SaveChanges | undefined>()
const listeners = new Set<() => void>()

/** Whether the page may be left for this address now; if so, its navigation shows at once. */
function leaveFor(href: string): boolean {
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
function holdPage(save?: SaveChanges): () => void {
  const holder = Symbol("unsaved")
  unsaved.set(holder, save)
  return () => unsaved.delete(holder)
}

function hasUnsaved(): boolean {
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

let guards = 0
let listening = new AbortController()

/** Decides over every way out of the page before anybody else sees it, until the returned function is called. */
export function guardLinks(): () => void {
  if (guards++ === 0) listen()
  return () => {
    if (--guards === 0) listening.abort()
  }
}

function listen() {
  listening = new AbortController()
  const { signal } = listening
  window.addEventListener("click", onClick, { capture: true, signal })
  window.addEventListener("beforeunload", (event) => hasUnsaved() && event.preventDefault(), { signal })
  window.addEventListener("popstate", settleLeaving, { signal })
  // Not every browser has it; there Back leaves without a question.
  window.navigation?.addEventListener("navigate", onNavigate, { signal })
}

function onClick(event: MouseEvent) {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null
  if (!link || link.target || link.download || link.hasAttribute("download")) return
  if (link.origin !== location.origin || !/^\/(projects|docs)(\/|$)/.test(link.pathname)) return
  if (leaveFor(link.href)) return
  event.preventDefault()
  event.stopPropagation()
}

function onNavigate(event: NavigateEvent) {
  if (event.navigationType !== "traverse" || !event.cancelable || !hasUnsaved()) return
  if (!leaveFor(event.destination.url)) event.preventDefault()
}

/** The link that was followed last from each address, and how far each frame of it was scrolled. */
const ways = new Map<string, string>()
const scrolled = new Map<string, number>()
let returning = false

function noteWay(to: URL) {
  returning = false
  ways.set(here(), to.pathname + to.search)
}

/** Back or Forward was pressed: what shows next is meant to look as it was left. */
export function noteReturn() {
  returning = true
}

export function noteScroll(frame: HTMLElement, name: string) {
  scrolled.set(`${here()} ${name}`, frame.scrollTop)
}

/** The link to focus after Back. */
export const wayToFocus = () => (returning ? ways.get(here()) : undefined)

/** How far to scroll a frame after Back. */
export const scrollOf = (name: string) => (returning ? scrolled.get(`${here()} ${name}`) : undefined)

const here = () => location.pathname + location.search

/** Opens a page as a click on its link does: shown at once, and never over what is not saved. */
export function useGo(): (href: string) => void {
  const router = useRouter()
  return useCallback(
    (href) => {
      if (leaveFor(href)) router.push(href)
    },
    [router],
  )
}

/** Opens what a save has made, unless whoever asked for it has left by then: elsewhere they may be typing. */
export function useGoOn(): (href: string) => void {
  const router = useRouter()
  const here = useRef(false)
  useEffect(() => {
    here.current = true
    return () => {
      here.current = false
    }
  }, [])
  return (href) => {
    if (here.current) router.push(href)
  }
}

/**
 * While `active`, leaving the page asks first: by a link, the keyboard, Back, or by closing the tab. With `save` the question
 * offers to save before.
 */
export function useStay(active: boolean, save?: SaveChanges): void {
  const latest = useRef(save)
  useEffect(() => {
    latest.current = save
  }, [save])
  const savable = save !== undefined
  useEffect(() => {
    if (!active) return
    const ends = [guardLinks(), holdPage(savable ? async () => (await latest.current?.()) === true : undefined)]
    return () => ends.forEach((end) => end())
  }, [active, savable])
}
