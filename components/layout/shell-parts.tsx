"use client"

import { usePathname } from "next/navigation"
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useSyncExternalStore } from "react"
import { mayFound } from "@/components/access/powers"
import { isSignedOut, subscribeToSignedOut } from "@/components/data/call"
import { isPlainKey, isTyping, opensPalette, placesOf, type NavGroup, type NavItem } from "@/components/layout/keys"
import { closeOverlay, openOverlay, overlayShown, typeEarly, useOverlay } from "@/components/layout/overlay"
import { settleLeaving, guardLinks, useGo } from "@/components/ui/leaving"
import { useTouched } from "@/components/ui/page-start"
import type { SessionWire } from "@/lib/access/credentials/schema"
import { dynamic } from "@/components/late-parts/dynamic"

const Palette = lazy(() => import("@/components/layout/palette/palette"))
const ShortcutHelp = lazy(() => import("@/components/layout/shortcut-help"))
const NewProject = lazy(() =>
  import("@/components/access/new-project").then((module) => ({ default: module.NewProject })),
)

const Ways = lazy(() => import("@/components/layout/ways"))

// What of the shell runs in the browser.

/**
 * The page, and the ways from it. What marks a pressed link is there at once; what covers the page and asks comes with the
 * first touch of mouse, finger or keyboard.
 */
export function PageArea({ projectId, children }: { projectId: string; children: ReactNode }) {
  const path = usePathname()
  const touched = useTouched()
  const signedOut = useSyncExternalStore(subscribeToSignedOut, isSignedOut, () => false)
  useEffect(guardLinks, [])
  useEffect(() => settleLeaving, [path])
  return (
    <>
      {touched || signedOut ? (
        <Suspense>
          <Ways projectId={projectId} signedOut={signedOut} />
        </Suspense>
      ) : null}
      {children}
    </>
  )
}

export type ShortcutsProps = {
  projectId: string
  organizations: SessionWire["organizations"]
  groups: NavGroup[]
  bottom?: NavItem[]
}

/** How long after `g` the other key may follow. */
const sequenceMs = 1_500

/** The keys that work on every page, and what they open; palette and help are loaded when they are first asked for. */
export function Shortcuts({ projectId, organizations, groups, bottom }: ShortcutsProps) {
  const openPage = useGo()
  const overlay = useOverlay()
  const places = useMemo(() => placesOf(groups, bottom), [groups, bottom])

  useEffect(() => {
    let waitingSince = 0
    function onKeyDown(event: KeyboardEvent) {
      if (opensPalette(event)) return togglePalette(event)
      if (overlayShown() === "palette" && !isDialogOpen()) return keepKey(event)
      if (!isPlainKey(event) || isTyping(event.target) || event.repeat) return
      if (event.key === "?") {
        event.preventDefault()
        return openOverlay("help")
      }
      const since = Date.now() - waitingSince
      waitingSince = event.key === "g" && since > sequenceMs ? Date.now() : 0
      if (since > sequenceMs) return
      const place = places.find(({ key }) => key === event.key)
      if (!place) return
      event.preventDefault()
      openPage(place.href)
    }
    // Before the keys of lists, so that `g k` does not move a row as well.
    document.addEventListener("keydown", onKeyDown, true)
    return () => document.removeEventListener("keydown", onKeyDown, true)
  }, [places, openPage])

  // What belongs to one project does not stay open over another.
  useEffect(() => () => closeOverlay(), [])

  return (
    <Suspense>
      {overlay === "palette" ? <Palette projectId={projectId} organizations={organizations} places={places} /> : null}
      {overlay === "new-project" ? (
        <NewProject
          open
          onOpenChange={() => closeOverlay("new-project")}
          organizations={organizations.filter(mayFound)}
          current={currentOf(organizations, projectId)}
        />
      ) : null}
      {overlay === "help" ? <ShortcutHelp places={places} /> : null}
    </Suspense>
  )
}

function currentOf(organizations: SessionWire["organizations"], projectId: string): string {
  return organizations.find(({ projects }) => projects.some(({ id }) => id === projectId))?.id ?? ""
}

function togglePalette(event: KeyboardEvent) {
  const open = overlayShown() === "palette"
  // It is not covered by another.
  if (!open && isDialogOpen()) return
  event.preventDefault()
  if (open) closeOverlay()
  else openOverlay("palette")
}

/** Whether a dialog is open, which waits for an answer. */
function isDialogOpen() {
  return document.querySelector("dialog[open]") !== null
}

/** Keys that are pressed before the palette is there are meant for it. */
function keepKey(event: KeyboardEvent) {
  if (event.key.length > 1 || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  typeEarly(event.key)
}

// Rows

/** `j` and `k` move through the rows that can be opened, in any list on the page. */
export function RowKeys() {
  useEffect(() => {
    document.addEventListener("keydown", onKeyDown)
    return () => document.removeEventListener("keydown", onKeyDown)
  }, [])
  return null
}

/** How long steps wait for rows that a long list has yet to load or render. */
const patienceMs = 5_000

/** Steps down from the focused row to rows that are not there yet. */
type Steps = { row: Element; count: number }
let waiting: Steps | undefined

function onKeyDown(event: KeyboardEvent) {
  if (event.key !== "j" && event.key !== "k") return
  // The second key of `g k` is taken by then.
  if (event.defaultPrevented || !isPlainKey(event) || isTyping(event.target)) return
  if (step(event.key === "j" ? 1 : -1)) event.preventDefault()
}

function step(by: 1 | -1): boolean {
  const row = document.activeElement
  if (waiting?.row === row) waiting.count += by
  else if (move(by)) return true
  else if (row && isFollowed(row)) walk((waiting = { row, count: by }), performance.now() + patienceMs)
  else return false
  return true
}

/** Whether there was a row to move to. */
function move(by: 1 | -1): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>("main [data-row]")]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const next = rows[Math.max(at + by, 0)]
  next?.focus()
  return next !== undefined
}

/** Whether the list has a row below this one, rendered or not; -1 stands for an unknown number of rows. */
function isFollowed(row: Element): boolean {
  const rows = Number(row.closest("[aria-rowcount]")?.getAttribute("aria-rowcount"))
  return rows === -1 || rows > Number(row.getAttribute("aria-rowindex"))
}

/** Takes the steps as rows appear, unless the focus goes elsewhere meanwhile. */
function walk(steps: Steps, until: number) {
  requestAnimationFrame(() => {
    while (steps.count > 0 && steps.row === document.activeElement && move(1)) {
      steps.count--
      steps.row = document.activeElement
    }
    if (steps.count > 0 && steps.row === document.activeElement && performance.now() < until) walk(steps, until)
    else if (waiting === steps) waiting = undefined
  })
}

/** The shell of every page names it, and few projects are deleted: its code comes when it is shown. */
export const LazyDeletedProject = dynamic(() =>
  import("@/components/projects/deleted-project").then((loaded) => loaded.DeletedProject),
)
