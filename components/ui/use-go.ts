"use client"

import { useRouter } from "next/navigation"
import { useCallback } from "react"
import { leaveFor } from "@/components/ui/leaving"

/** Opens a page as a click on its link does: shown at once, and never over what is not saved. */
export function useGo(): (href: string) => void {
  const router = useRouter()
  return useCallback(
    (href) => {
      if (leaveFor(href)) router.push(href)
    },
    [router],
  )
}
