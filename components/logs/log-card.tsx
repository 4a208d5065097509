"use client"

import type { UseQueryResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { LoadError } from "@/components/data/load-error"
import { Button } from "@/components/ui/button"
import { Card, CardFooter } from "@/components/ui/card"
import { SkeletonRows } from "@/components/ui/loading"

type Page = { cursor: { nextCursor: string | null } }

/** A page of a log with the way to older entries, its skeleton, or why it could not be loaded. */
export function LogCard<P extends Page>({
  label,
  loading,
  page,
  after,
  onAfter,
  children,
}: {
  label: string
  loading: string
  page: UseQueryResult<P>
  after: string
  onAfter: (next: string) => void
  children: (page: P) => ReactNode
}) {
  const { data, error, refetch, isRefetching, isPlaceholderData } = page
  return (
    <Card data-list aria-label={label} aria-busy={isPlaceholderData}>
      {data ? (
        <>
          {children(data)}
          <CursorFooter after={after} next={data.cursor.nextCursor} onAfter={onAfter} />
        </>
      ) : error ? (
        <LoadError error={error} onRetry={() => void refetch()} retrying={isRefetching} />
      ) : (
        <SkeletonRows rows={8} label={loading} />
      )}
    </Card>
  )
}

type CursorFooterProps = { after: string; next: string | null; onAfter: (after: string) => void }

/** Newest and older; the pages between are steps of the browser's history. */
function CursorFooter({ after, next, onAfter }: CursorFooterProps) {
  if (!after && !next) return null
  return (
    <CardFooter>
      <Button disabled={!after} onClick={() => onAfter("")}>
        Newest
      </Button>
      <Button disabled={!next} onClick={() => onAfter(next ?? "")}>
        Older
      </Button>
    </CardFooter>
  )
}
