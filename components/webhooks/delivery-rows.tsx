"use client"

import { cn } from "@/components/ui/cn"
import type { Tone } from "@/components/ui/pill"
import { Table, Td, Th } from "@/components/ui/table"
import { TableRow } from "@/components/ui/table-row"
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
          <Th>Event</Th>
          <Th className="w-20 px-2">Response</Th>
          <Th className="hidden w-18 px-2 sm:table-cell" numeric>
            Attempts
          </Th>
          <Th className="w-24 pl-2" numeric>
            Time
          </Th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <Row
            key={delivery.id}
            delivery={delivery}
            open={delivery.id === open}
            onOpen={() => onOpen(delivery.id)}
            onFollow={() => onFollow(delivery.id)}
          />
        ))}
      </tbody>
    </Table>
  )
}

type RowProps = { delivery: Delivery; open: boolean; onOpen: () => void; onFollow: () => void }

function Row({ delivery, open, onOpen, onFollow }: RowProps) {
  const { tone, word } = deliveryState(delivery)
  return (
    <TableRow
      onOpen={onOpen}
      onFocus={onFollow}
      aria-current={open || undefined}
      className={cn(
        open && "bg-accent-soft shadow-[inset_3px_0_var(--accent)] hover:bg-accent-soft focus-visible:bg-accent-soft",
      )}
    >
      <Td truncate title={`${delivery.eventType}: ${word}`}>
        <span aria-hidden="true" className={cn("mr-2 inline-block size-1.5 rounded-full align-middle", dots[tone])} />
        <code>{delivery.eventType}</code>
        <span className="sr-only">. {word}</span>
      </Td>
      <Td muted={delivery.status === "success"} className="px-2 tabular-nums">
        {delivery.lastStatusCode ?? (delivery.lastError ? "None" : "")}
      </Td>
      <Td numeric muted className="hidden px-2 tabular-nums sm:table-cell">
        {delivery.attemptCount}
      </Td>
      <Td numeric muted truncate className="pl-2">
        <DayTime at={delivery.createdAt} short />
      </Td>
    </TableRow>
  )
}

const dots: Record<Tone, string> = { wait: "bg-line-field", warn: "bg-warn", good: "bg-good", bad: "bg-bad" }
