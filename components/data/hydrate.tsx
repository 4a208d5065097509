"use client"

import { HydrationBoundary, type DehydratedState } from "@tanstack/react-query"
import { useMemo, type ReactNode } from "react"

/**
 * The answers that the server read for a page, as JSON: as an object React would take every value of it apart, write it and put
 * it together again, which for a list takes longer than the rest of the page.
 */
export function Hydrate({ json, children }: { json: string; children: ReactNode }) {
  const state = useMemo(() => JSON.parse(json) as DehydratedState, [json])
  return <HydrationBoundary state={state}>{children}</HydrationBoundary>
}
