"use client"

import { useEffect } from "react"
import { isPlain, isTyping } from "@/components/layout/keys"

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
  if (event.defaultPrevented || !isPlain(event) || isTyping(event.target)) return
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
