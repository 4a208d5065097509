import { RelativeTime } from "@/components/ui/relative-time"
import { Table, Td, Th } from "@/components/ui/table"
import { RowLink, TableRow } from "@/components/ui/table-row"
import { bareAddress } from "@/components/emails/address"
import { StatusPill } from "@/components/emails/status-pill"
import type { Email } from "@/components/emails/types"

/** Emails, newest first; on a phone the subject is below the recipient and the sender is only in the detail. */
export function EmailsTable({
  projectId,
  emails,
  label = "Emails",
}: {
  projectId: string
  emails: Email[]
  label?: string
}) {
  return (
    <Table label={label} minWidth="min-w-0">
      <thead>
        <tr>
          <Th className="sm:w-[34%] lg:w-[27%]">To</Th>
          <Th className="w-36">Status</Th>
          <Th className="hidden sm:table-cell">Subject</Th>
          <Th className="hidden w-[21%] lg:table-cell">From</Th>
          <Th className="hidden w-36 sm:table-cell" numeric>
            Accepted
          </Th>
        </tr>
      </thead>
      <tbody>
        {emails.map((email) => (
          <EmailRow key={email.id} email={email} href={`/projects/${projectId}/emails/${email.id}`} />
        ))}
      </tbody>
    </Table>
  )
}

function EmailRow({ email, href }: { email: Email; href: string }) {
  const others = email.to.length + (email.cc?.length ?? 0) + (email.bcc?.length ?? 0) - 1
  return (
    <TableRow href={href}>
      <Td>
        <span className="flex min-w-0 gap-2">
          <RowLink href={href} prefetch={false} className="truncate" title={email.to.join(", ")}>
            {email.to[0]}
          </RowLink>
          {others > 0 ? <span className="shrink-0 text-muted">+{others}</span> : null}
        </span>
        <span className="mt-0.5 block truncate text-muted sm:hidden">{email.subject}</span>
      </Td>
      <Td>
        <StatusPill status={email.status} focusable={false} />
        <RelativeTime at={email.createdAt} className="mt-1 block truncate text-xs text-muted sm:hidden" />
      </Td>
      <Td truncate className="hidden sm:table-cell" title={email.subject}>
        {email.subject}
      </Td>
      <Td truncate muted className="hidden lg:table-cell" title={email.from}>
        {bareAddress(email.from)}
      </Td>
      <Td numeric muted className="hidden whitespace-nowrap sm:table-cell">
        <RelativeTime at={email.createdAt} />
      </Td>
    </TableRow>
  )
}
