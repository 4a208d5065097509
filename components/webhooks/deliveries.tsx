"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { lazy, type ReactNode, useEffect, useRef } from "react"
import { May } from "@/components/access/powers"
import { AddDialog } from "@/components/data/add-dialog"
import { LoadError } from "@/components/data/load-error"
import { useAddressParam } from "@/components/layout/use-address-param"
import { Button } from "@/components/ui/button"
import { Card, CardFooter, CardHeader } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import { dynamic } from "@/components/late-parts/dynamic"
import { EmptyState } from "@/components/ui/empty-state"
import type { Tone } from "@/components/ui/pill"
import { Select } from "@/components/ui/select"
import { SkeletonRows } from "@/components/ui/loading"
import { Cells, type Column, Heads, Table, TableRow } from "@/components/ui/table"
import { utcHourRange, utcHourWords } from "@/components/ui/time-words"
import { DayTime } from "@/components/data/clock-time"
import { deliveriesQuery, type WebhookDelivery, type Webhook } from "@/components/webhooks/queries"
import { deliveryState, isBusy } from "@/components/webhooks/states"

const loadForm = () => import("@/components/webhooks/replay-range-form")
const ReplayRangeForm = lazy(loadForm)

// While there is no delivery, another element takes its place.
const DeliveryCard = dynamic(
  () => import("@/components/webhooks/delivery-card").then((loaded) => loaded.DeliveryCard),
  {
    loading: () => (
      <Card aria-label="Delivery">
        <SkeletonRows rows={10} label="Loading the delivery" />
      </Card>
    ),
  },
)

const statuses: { value: string; label: string }[] = [
  { value: "", label: "All" },
  { value: "pending", label: "Waiting" },
  { value: "success", label: "Delivered" },
  { value: "failed", label: "Failed" },
  { value: "cancelled", label: "Cancelled" },
]

const busyMs = 1_500
const calmMs = 10_000

type DeliveriesProps = {
  projectId: string
  webhook: Webhook
  /** What to show beside the list while there is no delivery. */
  beforeTheFirst: ReactNode
}

/** Arrow through the list faster than this, and only the row on which one stops is opened. */
const settleMs = 80

/**
 * The list of deliveries on the left, the open one on the right; both are in the address. The open one follows the focus of
 * the list, Enter goes to it.
 */
export function Deliveries({ projectId, webhook, beforeTheFirst }: DeliveriesProps) {
  const [status, setStatus] = useAddressParam("status")
  const [hour, setHour] = useAddressParam("hour")
  const [before, setBefore] = useAddressParam("before", { history: "push" })
  const [wanted, setWanted] = useAddressParam("delivery")
  const detail = useRef<HTMLDivElement>(null)
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery({
    ...deliveriesQuery(projectId, webhook.id, {
      status: (status ?? undefined) as WebhookDelivery["status"] | undefined,
      before: before ?? undefined,
      hour: hour ?? undefined,
    }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(isBusy) ? busyMs : calmMs),
  })
  const rows = data?.data ?? []
  const open = wanted ?? (rows.find(isRetried) ?? rows[0])?.id

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  function choose(id: string) {
    clearTimeout(timer.current)
    setWanted(id)
    const byKey = document.activeElement?.matches(":focus-visible")
    requestAnimationFrame(() => {
      // Below the list on a narrow screen.
      detail.current?.scrollIntoView({ block: "nearest" })
      if (byKey) detail.current?.focus({ preventScroll: true })
    })
  }
  function follow(id: string) {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setWanted(id), settleMs)
  }
  function narrow(change: () => void) {
    setBefore(null)
    setWanted(null)
    change()
  }
  const isFirst = data !== undefined && !rows.length && !status && !before && !hour

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
              onChange={({ target }) => narrow(() => setStatus(target.value || null))}
            />
          }
        />
        {hour && utcHourRange(hour) ? (
          <p className="flex flex-wrap items-center justify-between gap-2 border-b border-line bg-sunken px-4 py-2">
            Created from {utcHourWords(hour)}
            <Button size="small" onClick={() => narrow(() => setHour(null))}>
              All hours
            </Button>
          </p>
        ) : null}
        {data ? null : error ? (
          <LoadError error={error} onRetry={() => void refetch()} retrying={isFetching} />
        ) : (
          <SkeletonRows rows={8} label="Loading deliveries" />
        )}
        {rows.length ? (
          <div className={cn(isPlaceholderData && "opacity-60")} aria-busy={isPlaceholderData}>
            <DeliveryRows deliveries={rows} open={open} onOpen={choose} onFollow={follow} />
          </div>
        ) : null}
        {data && !rows.length ? <NoDeliveries filtered={!isFirst} /> : null}
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
      <div ref={detail} tabIndex={-1} className="min-w-0 scroll-mt-4 rounded-lg">
        {open ? <DeliveryCard projectId={projectId} webhook={webhook} deliveryId={open} /> : null}
        {isFirst && !open ? beforeTheFirst : null}
      </div>
    </div>
  )
}

function NoDeliveries({ filtered }: { filtered: boolean }) {
  if (filtered) return <p className="px-4 py-10 text-center text-muted">No delivery matches.</p>
  return (
    <EmptyState title="No deliveries yet">Send a test event to see one here, or wait for the next event.</EmptyState>
  )
}

function isRetried({ status, attemptCount }: WebhookDelivery): boolean {
  return status === "pending" && attemptCount > 0
}

function ReplayRange({ projectId, webhook }: { projectId: string; webhook: Webhook }) {
  return (
    <AddDialog
      action="Replay a range"
      button={{ size: "small" }}
      description="Sends the events of a time range again, each once, with the same id and body."
      load={loadForm}
      height="h-80"
    >
      {(close) => <ReplayRangeForm projectId={projectId} webhookId={webhook.id} onDone={close} />}
    </AddDialog>
  )
}

type DeliveryRowsProps = {
  deliveries: WebhookDelivery[]
  open: string | undefined
  onOpen: (id: string) => void
  /** The keyboard has focused a row. */
  onFollow: (id: string) => void
}

function DeliveryRows({ deliveries, open, onOpen, onFollow }: DeliveryRowsProps) {
  return (
    <Table label="Deliveries" minWidth="min-w-0">
      <thead>
        <tr>
          <Heads columns={columns} />
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <TableRow
            key={delivery.id}
            onOpen={() => onOpen(delivery.id)}
            onFocus={() => onFollow(delivery.id)}
            aria-current={delivery.id === open || undefined}
            className={cn(delivery.id === open && openStyle)}
          >
            <Cells columns={columns} row={delivery} />
          </TableRow>
        ))}
      </tbody>
    </Table>
  )
}

const openStyle = "bg-accent-soft shadow-[inset_3px_0_var(--accent)] hover:bg-accent-soft focus-visible:bg-accent-soft"

const columns: Column<WebhookDelivery>[] = [
  {
    head: "Event",
    truncate: true,
    title: (delivery) => `${delivery.eventType}: ${deliveryState(delivery).word}`,
    cell: (delivery) => {
      const { tone, word } = deliveryState(delivery)
      return (
        <>
          <span aria-hidden="true" className={cn("mr-2 inline-block size-1.5 rounded-full align-middle", dots[tone])} />
          <code>{delivery.eventType}</code>
          <span className="sr-only">. {word}</span>
        </>
      )
    },
  },
  {
    head: "Response",
    width: "w-20",
    className: "px-2",
    cellClassName: "tabular-nums",
    cell: ({ status, lastStatusCode, lastError }) => (
      <span className={cn(status === "success" && "text-muted")}>{lastStatusCode ?? (lastError ? "None" : "")}</span>
    ),
  },
  {
    head: "Attempts",
    from: "sm",
    width: "w-18",
    className: "px-2",
    numeric: true,
    muted: true,
    cell: ({ attemptCount }) => attemptCount,
  },
  {
    head: "Time",
    width: "w-24",
    className: "pl-2",
    numeric: true,
    muted: true,
    truncate: true,
    cell: ({ createdAt }) => <DayTime at={createdAt} short />,
  },
]

const dots: Record<Tone, string> = { wait: "bg-line-field", warn: "bg-warn", good: "bg-good", bad: "bg-bad" }
