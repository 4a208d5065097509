"use client"

import { useSyncExternalStore } from "react"
import { never } from "@/components/ui/use-in-browser"

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
