"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useRef } from "react"
import { May } from "@/components/access/powers"
import { LoadError } from "@/components/emails/load-error"
import { useAddressParam } from "@/components/layout/use-address-param"
import { Button } from "@/components/ui/button"
import { Card, CardFooter, CardHeader } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import { EmptyState } from "@/components/ui/empty-state"
import { Select } from "@/components/ui/select"
import { SkeletonRows } from "@/components/ui/skeleton"
import { DeliveryCard } from "@/components/webhooks/delivery-card"
import { DeliveryRows } from "@/components/webhooks/delivery-rows"
import { deliveriesQuery, type Delivery, type Webhook } from "@/components/webhooks/queries"
import { ReplayRange } from "@/components/webhooks/replay-range"
import { isBusy } from "@/components/webhooks/states"

const statuses: { value: string; label: string }[] = [
  { value: "", label: "All" },
  { value: "pending", label: "Waiting" },
  { value: "success", label: "Delivered" },
  { value: "failed", label: "Failed" },
  { value: "cancelled", label: "Cancelled" },
]

const busyMs = 1_500
const calmMs = 10_000

/** The list of deliveries on the left, the open one on the right; both are in the address. */
export function Deliveries({ projectId, webhook }: { projectId: string; webhook: Webhook }) {
  const [status, setStatus] = useAddressParam("status")
  const [before, setBefore] = useAddressParam("before", { history: "push" })
  const [wanted, setWanted] = useAddressParam("delivery")
  const detail = useRef<HTMLDivElement>(null)
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery({
    ...deliveriesQuery(projectId, webhook.id, {
      status: (status ?? undefined) as Delivery["status"] | undefined,
      before: before ?? undefined,
    }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(isBusy) ? busyMs : calmMs),
  })
  const rows = data?.data ?? []
  const open = wanted ?? (rows.find(isRetried) ?? rows[0])?.id

  function choose(id: string) {
    setWanted(id)
    // Below the list on a narrow screen.
    requestAnimationFrame(() => detail.current?.scrollIntoView({ block: "nearest" }))
  }
  function filter(next: string) {
    setBefore(null)
    setWanted(null)
    setStatus(next || null)
  }

  return (
    <div className="grid items-start gap-x-4 lg:grid-cols-[minmax(300px,448px)_minmax(0,1fr)]">
      <Card aria-label="Deliveries">
        <CardHeader
          title="Deliveries"
          actions={
            <Select
              aria-label="Status"
              className="w-36"
              value={status ?? ""}
              options={statuses}
              onChange={({ target }) => filter(target.value)}
            />
          }
        />
        {data ? null : error ? (
          <LoadError error={error} onRetry={() => void refetch()} retrying={isFetching} />
        ) : (
          <SkeletonRows rows={8} label="Loading deliveries" />
        )}
        {rows.length ? (
          <div className={cn(isPlaceholderData && "opacity-60")} aria-busy={isPlaceholderData}>
            <DeliveryRows deliveries={rows} open={open} onOpen={choose} />
          </div>
        ) : null}
        {data && !rows.length ? <NoDeliveries filtered={Boolean(status ?? before)} /> : null}
        {data ? (
          <CardFooter>
            <May permission="webhooks:write">
              <ReplayRange projectId={projectId} webhook={webhook} />
            </May>
            <span className="ml-auto flex gap-2">
              {before ? (
                <Button size="small" onClick={() => setBefore(null)}>
                  Newest
                </Button>
              ) : null}
              <Button
                size="small"
                disabled={!data.page.hasNextPage || isPlaceholderData}
                onClick={() => setBefore(rows.at(-1)?.id ?? null)}
              >
                Older
              </Button>
            </span>
          </CardFooter>
        ) : null}
      </Card>
      <div ref={detail} className="min-w-0 scroll-mt-4">
        {open ? <DeliveryCard key={open} projectId={projectId} webhook={webhook} deliveryId={open} /> : null}
      </div>
    </div>
  )
}

function NoDeliveries({ filtered }: { filtered: boolean }) {
  if (filtered) return <p className="px-4 py-10 text-center text-muted">None with this status.</p>
  return (
    <EmptyState title="No deliveries yet">Send a test event to see one here, or wait for the next event.</EmptyState>
  )
}

function isRetried({ status, attemptCount }: Delivery): boolean {
  return status === "pending" && attemptCount > 0
}
