"use client"

import { useEffect } from "react"
import { holdPage } from "@/components/ui/leaving"
import { guardLinks } from "@/components/ui/link-guard"

/** While `active`, leaving the page asks first: by a link, the keyboard, Back, or by closing the tab. */
export function useStay(active: boolean): void {
  useEffect(() => {
    if (!active) return
    const ends = [guardLinks(), holdPage()]
    return () => ends.forEach((end) => end())
  }, [active])
}
