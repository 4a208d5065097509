"use client"

import { usePathname } from "next/navigation"
import { lazy, Suspense, useEffect, type ReactNode } from "react"
import { settleLeaving } from "@/components/ui/leaving"
import { guardLinks } from "@/components/ui/link-guard"
import { useTouched } from "@/components/ui/use-touched"

const Ways = lazy(() => import("@/components/layout/ways"))

/**
 * The page, and the ways from it. What marks a pressed link is there at once; what covers the page and asks comes with the
 * first touch of mouse, finger or keyboard.
 */
export function PageArea({ projectId, children }: { projectId: string; children: ReactNode }) {
  const path = usePathname()
  const touched = useTouched()
  useEffect(guardLinks, [])
  useEffect(() => settleLeaving, [path])
  return (
    <>
      {touched ? (
        <Suspense>
          <Ways projectId={projectId} />
        </Suspense>
      ) : null}
      {children}
    </>
  )
}
