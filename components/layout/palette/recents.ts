"use client"

import { usePathname } from "next/navigation"
import { useEffect } from "react"

/** The title of a thing arrives with its data; who leaves earlier has hardly seen it. */
const settledMs = 1_000

/** Keeps what has been looked at for the palette. */
export function useRecents(projectId: string) {
  const path = usePathname()
  useEffect(() => {
    const kind = pageKind(path)
    if (!kind) return
    const timer = setTimeout(() => {
      // The next page can be on the screen a moment before this timer is cleared.
      if (window.location.pathname !== path) return
      const label = document.querySelector("main h1")?.textContent?.trim()
      if (label) keepRecent(projectId, { href: path, label: label.slice(0, 120), kind })
    }, settledMs)
    return () => clearTimeout(timer)
  }, [path, projectId])
}

export type Recent = { href: string; label: string; kind: string }

const recentsMax = 5

/** The newest first, each address once, at most five. */
export function withRecent(recents: readonly Recent[], next: Recent): Recent[] {
  return [next, ...recents.filter(({ href }) => href !== next.href)].slice(0, recentsMax)
}

const kinds: [RegExp, string][] = [
  [/\/emails\/email_[0-9a-z]{26}$/, "Email"],
  [/\/domains\/dom_[0-9a-z]{26}$/, "Domain"],
  [/\/api-keys\/key_[0-9a-z]{26}$/, "API key"],
  [/\/contacts\/con_[0-9a-z]{26}$/, "Contact"],
  [/\/segments\/seg_[0-9a-z]{26}$/, "Segment"],
  [/\/topics\/top_[0-9a-z]{26}$/, "Topic"],
  [/\/webhooks\/whk_[0-9a-z]{26}$/, "Webhook"],
  [/\/broadcasts\/bc_[0-9a-z]{26}$/, "Broadcast"],
  [/\/templates\/tpl_[0-9a-z]{26}$/, "Template"],
  [/\/logs\/req_[0-9a-z]{26}$/, "Request"],
]

/** What the page of this address shows, or null: pages of the navigation are found without having been visited. */
export function pageKind(path: string): string | null {
  return kinds.find(([form]) => form.test(path))?.[1] ?? null
}

/** Stored with the tab, so that titles of emails do not outlive it. */
export function readRecents(projectId: string): Recent[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(place(projectId)) ?? "[]")
    return Array.isArray(stored) ? stored.filter(isRecent) : []
  } catch {
    return []
  }
}

export function keepRecent(projectId: string, recent: Recent) {
  try {
    sessionStorage.setItem(place(projectId), JSON.stringify(withRecent(readRecents(projectId), recent)))
  } catch {
    // A browser that keeps nothing simply has no recents.
  }
}

function place(projectId: string): string {
  return `mailroom.recents.${projectId}`
}

function isRecent(stored: unknown): stored is Recent {
  if (typeof stored !== "object" || stored === null) return false
  const { href, label, kind } = stored as Record<string, unknown>
  return [href, label, kind].every((field) => typeof field === "string") && String(href).startsWith("/projects/")
}
