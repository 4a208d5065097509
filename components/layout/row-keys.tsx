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

function onKeyDown(event: KeyboardEvent) {
  if (event.key !== "j" && event.key !== "k") return
  // The second key of `g k` is taken by then.
  if (event.defaultPrevented || !isPlain(event) || isTyping(event.target)) return
  const rows = [...document.querySelectorAll<HTMLElement>("main [data-row]")]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const next = rows[event.key === "j" ? at + 1 : Math.max(at - 1, 0)]
  if (!next) return
  event.preventDefault()
  next.focus()
}
