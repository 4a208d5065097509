"use client"

import { usePathname } from "next/navigation"
import { useEffect } from "react"
import { keepRecent, kindOf } from "@/components/layout/palette/recents"

/** The title of a thing arrives with its data; who leaves earlier has hardly seen it. */
const settledMs = 1_000

/** Keeps what has been looked at for the palette. */
export function useRecents(projectId: string) {
  const path = usePathname()
  useEffect(() => {
    const kind = kindOf(path)
    if (!kind) return
    const timer = setTimeout(() => {
      const label = document.querySelector("main h1")?.textContent?.trim()
      if (label) keepRecent(projectId, { href: path, label: label.slice(0, 120), kind })
    }, settledMs)
    return () => clearTimeout(timer)
  }, [path, projectId])
}
