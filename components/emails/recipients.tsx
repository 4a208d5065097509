import { Card, CardHeader } from "@/components/ui/card"
import { RelativeTime } from "@/components/ui/relative-time"
import { Table, Td, Th } from "@/components/ui/table"
import { TextLink } from "@/components/ui/text-link"
import { StatusPill } from "@/components/emails/status-pill"
import type { Delivery } from "@/components/emails/types"

const roles: Record<Delivery["role"], string> = { to: "To", cc: "Cc", bcc: "Bcc" }

/** What became of the email for each of its recipients; shown where there are several. */
export function Recipients({ projectId, deliveries }: { projectId: string; deliveries: Delivery[] }) {
  return (
    <Card>
      <CardHeader title="Recipients" actions={<span className="tabular-nums">{deliveries.length}</span>} />
      <Table label="Recipients" minWidth="min-w-0">
        <thead>
          <tr>
            <Th>Address</Th>
            <Th className="hidden w-16 sm:table-cell">As</Th>
            <Th className="w-36">Status</Th>
            <Th className="hidden w-[38%] md:table-cell">Last response</Th>
          </tr>
        </thead>
        <tbody>
          {deliveries.map((delivery) => (
            <tr key={delivery.id}>
              <Td className="[overflow-wrap:anywhere]">
                <TextLink href={`/projects/${projectId}/contacts?${new URLSearchParams({ search: delivery.address })}`}>
                  {delivery.address}
                </TextLink>
                <span className="block text-xs text-muted sm:hidden">{roles[delivery.role]}</span>
              </Td>
              <Td muted className="hidden sm:table-cell">
                {roles[delivery.role]}
              </Td>
              <Td>
                <StatusPill status={delivery.status} inTable />
              </Td>
              <Td muted className="hidden [overflow-wrap:anywhere] md:table-cell">
                <LastResponse delivery={delivery} />
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Card>
  )
}

function LastResponse({ delivery }: { delivery: Delivery }) {
  const { diagnostic, nextAttemptAt, attempts } = delivery
  const words = diagnostic ?? attempts.at(-1)?.text ?? "–"
  if (!nextAttemptAt || attempts.length === 0) return words
  return (
    <>
      {words}
      {"; next attempt "}
      <RelativeTime at={nextAttemptAt} />
    </>
  )
}
