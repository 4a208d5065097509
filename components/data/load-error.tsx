"use client"

import { problemOf } from "@/components/data/problem"
import { ButtonLink } from "@/components/ui/button"
import { Card } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { ErrorState } from "@/components/ui/error-state"
import { PageHeader } from "@/components/ui/page-header"
import { SkeletonRows } from "@/components/ui/skeleton"

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

type PageNotLoadedProps = {
  /** What the page is about: "Contact". */
  of: string
  /** The lists above it. */
  lists: { label: string; href: string }[]
  read: Read<unknown>
  /** How many rows of a table to expect. */
  rows?: number
}

/** A page while its object loads, or when it could not be read, with its heading and its way back. */
export function PageNotLoaded({ of, lists, read, rows = 6 }: PageNotLoadedProps) {
  const list = lists.at(-1)
  const { error } = read
  return (
    <>
      <PageHeader title={of} crumbs={[...lists, { label: of }]} />
      <Card>
        {list && error && problemOf(error).status === 404 ? (
          <EmptyState
            title={`${of} not found in this project`}
            action={<ButtonLink href={list.href}>{`All ${list.label.toLowerCase()}`}</ButtonLink>}
          >
            It was deleted, or it belongs to another project.
          </EmptyState>
        ) : (
          <NotLoaded read={read} label={`the ${of.toLowerCase()}`} rows={rows} />
        )}
      </Card>
    </>
  )
}
