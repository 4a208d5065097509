"use client"

import { useSyncExternalStore } from "react"

const placeId = "compose-actions"

/** Where the actions go, in the header of the page, which is there before the form is loaded. */
export function ActionsPlace() {
  return <div id={placeId} className="contents" />
}

/** That place once it is on the page: header and form may come in the same moment, and then it is not there yet while the form is drawn. */
export function useActionsPlace(): HTMLElement | null {
  return useSyncExternalStore(
    never,
    () => document.getElementById(placeId),
    () => null,
  )
}

function never() {
  return () => undefined
}
