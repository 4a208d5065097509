"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { LoadError } from "@/components/data/load-error"
import { keyUsage } from "@/components/api-keys/queries"
import { RequestTable } from "@/components/api-keys/request-table"
import { longBar, usageWindow } from "@/components/api-keys/usage-bars"
import { useAddressParam } from "@/components/layout/use-address-param"
import { Button } from "@/components/ui/button"
import { Card, CardFooter, CardHeader } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { SkeletonRows } from "@/components/ui/skeleton"

/** Requests made with the key, of the day or hour that was chosen in the chart. Older ones load with `before`. */
export function KeyRequests({ projectId, keyId }: { projectId: string; keyId: string }) {
  const [before, setBefore] = useAddressParam("before", { history: "push" })
  const [at, setAt] = useAddressParam("at", { history: "push" })
  const chosen = usageWindow(at)
  const { data, error, refetch, isRefetching, isPlaceholderData } = useQuery({
    ...keyUsage(projectId, keyId, { after: chosen?.after, before: before ?? chosen?.before }),
    placeholderData: keepPreviousData,
  })
  const card = useRef<HTMLElement>(null)
  const shown = useRef(at)
  useEffect(() => {
    // The list is below the chart in which a bar was chosen.
    if (at && at !== shown.current) card.current?.scrollIntoView({ block: "nearest" })
    shown.current = at
  }, [at])
  function clear() {
    setBefore(null)
    setAt(null)
  }
  const oldest = data?.data.at(-1)?.ts
  return (
    <Card ref={card} aria-label="Requests" aria-busy={isPlaceholderData} className="scroll-my-4">
      <CardHeader
        title="Requests"
        description={
          at && chosen ? `Of ${longBar(at)}, newest first.` : "Newest first. No bodies and no query strings are kept."
        }
        actions={chosen ? <Button onClick={clear}>Show all</Button> : undefined}
      />
      {data ? null : error ? (
        <LoadError error={error} onRetry={() => void refetch()} retrying={isRefetching} />
      ) : (
        <SkeletonRows />
      )}
      {data && !data.data.length ? <Nothing isFiltered={chosen !== null} /> : null}
      {data?.data.length ? <RequestTable projectId={projectId} requests={data.data} /> : null}
      {before || data?.page.hasMore ? (
        <CardFooter>
          <Button disabled={!before} onClick={() => setBefore(null)}>
            Newest
          </Button>
          <Button disabled={!data?.page.hasMore || !oldest} onClick={() => setBefore(oldest ?? null)}>
            Older
          </Button>
        </CardFooter>
      ) : null}
    </Card>
  )
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyState title="No requests">
        This key made no requests in that period. The other key&apos;s requests are on its page.
      </EmptyState>
    )
  return (
    <EmptyState title="No requests yet">The first request with this key appears here about a second later.</EmptyState>
  )
}
