"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { problemOf } from "@/components/api/problem"
import { useAddressParam } from "@/components/layout/use-address-param"
import { Button } from "@/components/ui/button"
import { Card, CardFooter, CardHeader } from "@/components/ui/card"
import { EmptyState } from "@/components/ui/empty-state"
import { ErrorState } from "@/components/ui/error-state"
import { Pill, type Tone } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { SkeletonRows } from "@/components/ui/skeleton"
import { Table, Td, Th } from "@/components/ui/table"
import { keyUsage } from "@/components/api-keys/queries"

/** Requests made with the key: method, route, status; on a phone the time is below the route. Older ones load with `before`. */
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
      {data?.data.length ? (
        <Table label="Requests" minWidth="min-w-0" aria-busy={isPlaceholderData}>
          <thead>
            <tr>
              <Th className="hidden w-40 sm:table-cell">Time</Th>
              <Th className="w-24">Method</Th>
              <Th>Route</Th>
              <Th className="w-24">Status</Th>
              <Th className="hidden w-24 md:table-cell" numeric>
                Took
              </Th>
              <Th className="hidden w-40 lg:table-cell">From</Th>
            </tr>
          </thead>
          <tbody>
            {data.data.map((request) => (
              <tr key={request.id}>
                <Td muted className="hidden sm:table-cell">
                  <RelativeTime at={request.ts} />
                </Td>
                <Td>
                  <code>{request.method}</code>
                </Td>
                <Td title={request.route}>
                  <code className="block [overflow-wrap:anywhere] sm:truncate">{request.route}</code>
                  <RelativeTime at={request.ts} className="mt-0.5 block text-xs text-muted sm:hidden" />
                </Td>
                <Td>
                  <Pill tone={toneOf(request.statusCode)}>{request.statusCode}</Pill>
                </Td>
                <Td numeric muted className="hidden tabular-nums md:table-cell">
                  {request.durationMs === undefined ? "" : `${request.durationMs} ms`}
                </Td>
                <Td muted truncate className="hidden lg:table-cell">
                  {request.ip}
                </Td>
              </tr>
            ))}
          </tbody>
        </Table>
      ) : null}
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

export function toneOf(status: number): Tone {
  if (status < 400) return "good"
  return status < 500 ? "warn" : "bad"
}
