"use client"

import { useEffect, useRef, useState } from "react"
import { dropDraft, isWorthKeeping, keepDraft } from "@/components/compose/drafts"
import type { Fields } from "@/components/compose/fields"

export type Kept = { state: "none" } | { state: "saving" } | { state: "saved"; at: number } | { state: "full" }

const pauseMs = 400

/** Keeps the fields as a draft shortly after each change; `done` forgets it, when it was sent or discarded. */
export function useDraft(projectId: string, id: string, fields: Fields, savedAt: number | null) {
  const [kept, setKept] = useState<Kept>(savedAt === null ? { state: "none" } : { state: "saved", at: savedAt })
  const initial = useRef(fields)
  const over = useRef(false)
  const save = useRef(() => undefined as void)
  useEffect(() => {
    save.current = () => {
      if (over.current || fields === initial.current) return
      const at = Date.now()
      try {
        if (isWorthKeeping(fields)) {
          keepDraft(projectId, { id, savedAt: at, fields })
          // What the address began is the draft now: a reload opens this, and does not begin again.
          if (location.pathname.endsWith("/compose") && location.search)
            history.replaceState(null, "", location.pathname)
        } else dropDraft(projectId, id)
        setKept(isWorthKeeping(fields) ? { state: "saved", at } : { state: "none" })
      } catch {
        setKept({ state: "full" })
      }
    }
    if (fields === initial.current) return
    setKept({ state: "saving" })
    const timer = setTimeout(() => save.current(), pauseMs)
    return () => clearTimeout(timer)
  }, [fields, projectId, id])
  // Whoever leaves within the pause finds the last word as well.
  useEffect(() => {
    const flush = () => save.current()
    window.addEventListener("pagehide", flush)
    return () => {
      window.removeEventListener("pagehide", flush)
      flush()
    }
  }, [])
  function done() {
    over.current = true
    dropDraft(projectId, id)
  }
  return { kept, done }
}
