import { Absent, TextLink } from "@/components/ui/text"
import { Card, CardHeader } from "@/components/ui/card"
import { RelativeTime } from "@/components/ui/relative-time"
import { DataTable, type Column } from "@/components/ui/table"
import { EmailStatusPill, isOnItsWay } from "@/components/emails/status"
import type { Delivery } from "@/components/emails/queries"

const roles: Record<Delivery["role"], string> = { to: "To", cc: "Cc", bcc: "Bcc" }

/** What became of the email for each of its recipients; shown where there are several. */
export function Recipients({ projectId, deliveries }: { projectId: string; deliveries: Delivery[] }) {
  return (
    <Card>
      <CardHeader title="Recipients" actions={<span className="tabular-nums">{deliveries.length}</span>} />
      <DataTable label="Recipients" columns={columnsOf(projectId)} rows={deliveries} keyOf={({ id }) => id} />
    </Card>
  )
}

function columnsOf(projectId: string): Column<Delivery>[] {
  return [
    {
      head: "Address",
      cellClassName: "[overflow-wrap:anywhere]",
      cell: ({ address, role }) => (
        <>
          <TextLink href={`/projects/${projectId}/contacts?${new URLSearchParams({ search: address })}`}>
            {address}
          </TextLink>
          <span className="block text-xs text-muted sm:hidden">{roles[role]}</span>
        </>
      ),
    },
    { head: "As", from: "sm", width: "w-16", muted: true, cell: ({ role }) => roles[role] },
    { head: "Status", width: "w-36", cell: ({ status }) => <EmailStatusPill status={status} inTable /> },
    {
      head: "Last response",
      from: "md",
      width: "w-[38%]",
      muted: true,
      cellClassName: "[overflow-wrap:anywhere]",
      cell: (delivery) => <LastResponse delivery={delivery} />,
    },
  ]
}

function LastResponse({ delivery }: { delivery: Delivery }) {
  const { diagnostic, nextAttemptAt, attempts, status } = delivery
  const none = <Absent word={isOnItsWay(status) ? "No reply yet" : "No reply stored"} />
  const words = diagnostic ?? attempts.at(-1)?.text ?? none
  if (!nextAttemptAt || attempts.length === 0) return words
  return (
    <>
      {words}
      {"; next attempt "}
      <RelativeTime at={nextAttemptAt} />
    </>
  )
}
