"use client"

import { problemOf } from "@/components/data/problem"
import { ErrorState } from "@/components/ui/error-state"

type LoadErrorProps = { error: unknown; title?: string; onRetry: () => void; retrying?: boolean }

/** A failed read: the problem, its request id, and a button to try again, which would not find what is not there. */
export function LoadError({ error, title, onRetry, retrying }: LoadErrorProps) {
  const problem = problemOf(error)
  if (problem.status === 404) return <ErrorState title="Not found" message={problem.detail ?? problem.title} />
  return (
    <ErrorState
      title={title}
      message={problem.detail ?? problem.title}
      requestId={problem.requestId}
      onRetry={onRetry}
      retrying={retrying}
    />
  )
}
