"use client"

import { useEffect, useSyncExternalStore } from "react"
import { never } from "@/components/ui/page-start"

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

const placeId = "compose-actions"

/** Where the actions go, in the header of the page. */
export function ActionsPlace() {
  return <div id={placeId} className="contents" />
}

/** That place, once it is on the page: while a form is drawn that comes together with the header, it is not there yet. */
export function useActionsPlace(): HTMLElement | null {
  return useSyncExternalStore(
    never,
    () => document.getElementById(placeId),
    () => null,
  )
}
