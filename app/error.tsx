"use client"

import { lazy, Suspense } from "react"

const PageBroke = lazy(() => import("@/components/layout/page-broke"))

type ErrorPageProps = { error: Error & { digest?: string }; reset: () => void }

/** Every page carries this, so what it draws is fetched when it is needed; until then, and without it, words are enough. */
export default function ErrorPage({ error, reset }: ErrorPageProps) {
  return (
    <Suspense
      fallback={
        <p role="alert" className="p-6">
          This page broke. The fault is ours and has been logged.
        </p>
      }
    >
      <PageBroke digest={error.digest} reset={reset} />
    </Suspense>
  )
}
