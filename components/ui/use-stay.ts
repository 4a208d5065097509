"use client"

import { useEffect, useRef } from "react"
import { holdPage, type SaveChanges } from "@/components/ui/leaving"
import { guardLinks } from "@/components/ui/link-guard"

/**
 * While `active`, leaving the page asks first: by a link, the keyboard, Back, or by closing the tab. With `save` the question
 * offers to save before.
 */
export function useStay(active: boolean, save?: SaveChanges): void {
  const latest = useRef(save)
  useEffect(() => {
    latest.current = save
  }, [save])
  const savable = save !== undefined
  useEffect(() => {
    if (!active) return
    const ends = [guardLinks(), holdPage(savable ? async () => (await latest.current?.()) === true : undefined)]
    return () => ends.forEach((end) => end())
  }, [active, savable])
}
