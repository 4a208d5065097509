"use client"

import { lazy, Suspense } from "react"

const PageBroke = lazy(() => import("@/components/layout/page-broke"))

type ErrorPageProps = { error: Error & { digest?: string }; reset: () => void }

/** Every page loads this file, so the component is fetched only when an error occurs. */
export default function ErrorPage({ error, reset }: ErrorPageProps) {
  return (
    <Suspense
      fallback={
        <p role="alert" className="p-6">
          This page could not be shown. The error has been logged.
        </p>
      }
    >
      <PageBroke digest={error.digest} reset={reset} />
    </Suspense>
  )
}
