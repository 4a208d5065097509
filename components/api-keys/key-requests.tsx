"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { problemOf } from "@/components/api/problem"
import { keyUsage } from "@/components/api-keys/queries"
import { RequestTable } from "@/components/api-keys/request-table"
import { useAddressParam } from "@/components/layout/use-address-param"
import { Button } from "@/components/ui/button"
import { Card, CardFooter, CardHeader } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { ErrorState } from "@/components/ui/error-state"
import { SkeletonRows } from "@/components/ui/skeleton"

/** Requests made with the key. Older ones load with `before`. */
export function KeyRequests({ projectId, keyId }: { projectId: string; keyId: string }) {
  const [before, setBefore] = useAddressParam("before", { history: "push" })
  const { data, error, refetch, isRefetching, isPlaceholderData } = useQuery({
    ...keyUsage(projectId, keyId, before ?? undefined),
    placeholderData: keepPreviousData,
  })
  const oldest = data?.data.at(-1)?.ts
  return (
    <Card>
      <CardHeader
        title="Requests"
        description="Newest first. Only what is needed to recognise them is kept: no bodies, no queries."
      />
      {data ? null : error ? (
        <Failed error={error} retry={() => void refetch()} retrying={isRefetching} />
      ) : (
        <SkeletonRows />
      )}
      {data && !data.data.length ? (
        <EmptyState title="No requests">The first request with this key appears here about a second later.</EmptyState>
      ) : null}
      {data?.data.length ? <RequestTable requests={data.data} busy={isPlaceholderData} /> : null}
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

function Failed({ error, retry, retrying }: { error: Error; retry: () => void; retrying: boolean }) {
  const { detail, title, requestId } = problemOf(error)
  return <ErrorState message={detail ?? title} requestId={requestId} onRetry={retry} retrying={retrying} />
}
