import { RelativeTime } from "@/components/ui/relative-time"
import type { Column } from "@/components/ui/table"

/** Columns of lists of mails. On a small screen both are below the first column. */
export const subjectColumn: Column<{ subject?: string }> = {
  head: "Subject",
  from: "sm",
  truncate: true,
  title: ({ subject }) => subject,
  cell: ({ subject }) => subject ?? "(no subject)",
}

export const receivedColumn: Column<{ receivedAt: string }> = {
  head: "Received",
  from: "sm",
  width: "w-34",
  numeric: true,
  muted: true,
  cellClassName: "whitespace-nowrap",
  cell: ({ receivedAt }) => <RelativeTime at={receivedAt} />,
}
