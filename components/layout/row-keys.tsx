"use client"

import { useEffect } from "react"

/** `j` and `k` move through the rows that can be opened, in any list on the page. */
export function RowKeys() {
  useEffect(() => {
    document.addEventListener("keydown", onKeyDown)
    return () => document.removeEventListener("keydown", onKeyDown)
  }, [])
  return null
}

function onKeyDown(event: KeyboardEvent) {
  if (event.key !== "j" && event.key !== "k") return
  if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return
  const rows = [...document.querySelectorAll<HTMLElement>("main [data-row]")]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const next = rows[event.key === "j" ? at + 1 : Math.max(at - 1, 0)]
  if (!next) return
  event.preventDefault()
  next.focus()
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.closest("input, textarea, select, dialog, [role=menu]") !== null
}
