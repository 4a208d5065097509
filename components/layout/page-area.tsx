"use client"

import { usePathname } from "next/navigation"
import { lazy, Suspense, useEffect, useState, type ReactNode } from "react"
import type { WaysProps } from "@/components/layout/ways"
import { settle } from "@/components/ui/leaving"
import { guardLinks } from "@/components/ui/link-guard"

const Ways = lazy(() => import("@/components/layout/ways"))
const touches = ["pointermove", "pointerdown", "keydown", "focusin"]

/**
 * The page, and the ways from it. What marks a pressed link is there at once; what covers the page and asks comes with the
 * first touch of mouse, finger or keyboard.
 */
export function PageArea({ children, ...ways }: WaysProps & { children: ReactNode }) {
  const path = usePathname()
  const [touched, setTouched] = useState(false)
  useEffect(guardLinks, [])
  useEffect(() => settle, [path])
  useEffect(() => {
    const touch = () => setTouched(true)
    for (const name of touches) window.addEventListener(name, touch, { once: true })
    return () => touches.forEach((name) => window.removeEventListener(name, touch))
  }, [])
  return (
    <>
      {touched ? (
        <Suspense>
          <Ways {...ways} />
        </Suspense>
      ) : null}
      {children}
    </>
  )
}
