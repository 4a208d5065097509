"use client"

import { lazy, Suspense, useSyncExternalStore } from "react"
import { subscribeToToasts, toastsWanted } from "@/components/ui/toast"

const Toaster = lazy(() => import("@/components/layout/toaster"))

/** Stands empty until the first toast, so that no page pays for toasts it never shows. */
export function ToastHost() {
  const wanted = useSyncExternalStore(subscribeToToasts, toastsWanted, () => false)
  return wanted ? (
    <Suspense>
      <Toaster />
    </Suspense>
  ) : null
}
