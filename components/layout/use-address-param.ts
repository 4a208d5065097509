"use client"

import { usePathname, useSearchParams } from "next/navigation"

type Write = { history?: "push" | "replace" }

/**
 * One parameter of the address as state: text, or null where it is not there. For pages with a single one; lists with
 * several filters use nuqs, which is 5 kB more.
 */
export function useAddressParam(name: string, { history = "replace" }: Write = {}) {
  const pathname = usePathname()
  const parameters = useSearchParams()

  function set(value: string | null) {
    const next = new URLSearchParams(window.location.search)
    if (value === null) next.delete(name)
    else next.set(name, value)
    const address = `${pathname}${next.size ? `?${next}` : ""}${window.location.hash}`
    // Next hears of both and renders anew, without asking the server.
    if (history === "push") window.history.pushState(null, "", address)
    else window.history.replaceState(null, "", address)
  }

  return [parameters.get(name), set] as const
}

/** The page of a list, from 1; going to another one can be undone with the browser's back. */
export function usePageParam() {
  const [text, set] = useAddressParam("page", { history: "push" })
  const page = text && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 1
  return [page, (next: number) => set(next === 1 ? null : String(next))] as const
}
