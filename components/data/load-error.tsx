"use client"

import { problemOf } from "@/components/data/call"
import { ErrorState } from "@/components/ui/error-state"
import { SkeletonRows } from "@/components/ui/loading"

/** What react-query says of a read. */
export type Read<Data> = {
  data: Data | undefined
  error: Error | null
  isFetching: boolean
  refetch: () => unknown
}

type NotLoadedProps = {
  read: Read<unknown>
  /** What is read, for screen readers while it loads: "topics". */
  label: string
  /** How many rows of a table to expect. */
  rows?: number
}

/** In the place of data that is not there: that it loads, or why it could not be read. */
export function NotLoaded({ read: { error, isFetching, refetch }, label, rows }: NotLoadedProps) {
  if (!error) return <SkeletonRows rows={rows} label={`Loading ${label}`} />
  return <LoadError error={error} onRetry={() => void refetch()} retrying={isFetching} />
}

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
