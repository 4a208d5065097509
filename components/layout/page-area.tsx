"use client"

import { lazy, Suspense, useEffect, useState, type ReactNode } from "react"
import type { WaysProps } from "@/components/layout/ways"

const Ways = lazy(() => import("@/components/layout/ways"))
const touches = ["pointermove", "pointerdown", "keydown", "focusin"]

/** The page, and the ways from it: their code comes with the first touch of mouse, finger or keyboard, before a click. */
export function PageArea({ children, ...ways }: WaysProps & { children: ReactNode }) {
  const [touched, setTouched] = useState(false)
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
