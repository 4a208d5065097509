"use client"

import { cn } from "@/components/ui/cn"
import type { Tone } from "@/components/ui/pill"
import { Cells, Heads, Table, TableRow, type Column } from "@/components/ui/table"
import { DayTime } from "@/components/webhooks/day-time"
import type { Delivery } from "@/components/webhooks/queries"
import { deliveryState } from "@/components/webhooks/states"

type DeliveryRowsProps = {
  deliveries: Delivery[]
  open: string | undefined
  onOpen: (id: string) => void
  /** The keyboard has focused a row. */
  onFollow: (id: string) => void
}

export function DeliveryRows({ deliveries, open, onOpen, onFollow }: DeliveryRowsProps) {
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

const columns: Column<Delivery>[] = [
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
