import { RelativeTime } from "@/components/ui/relative-time"
import { Table, Td, Th } from "@/components/ui/table"
import { RowLink, TableRow } from "@/components/ui/table-row"
import { fullName } from "./names"
import type { Contact } from "./queries"
import { StatePill } from "./state-pill"

/** Contacts, newest first; on a phone the name stands below the address. */
export function ContactsTable({ projectId, contacts }: { projectId: string; contacts: Contact[] }) {
  return (
    <Table label="Contacts" minWidth="min-w-0">
      <thead>
        <tr>
          <Th className="sm:w-[38%]">Address</Th>
          <Th className="hidden sm:table-cell">Name</Th>
          <Th className="w-36">State</Th>
          <Th className="hidden w-28 lg:table-cell" numeric>Segments</Th>
          <Th className="hidden w-36 sm:table-cell" numeric>Added</Th>
        </tr>
      </thead>
      <tbody>
        {contacts.map((contact) => (
          <ContactRow key={contact.id} contact={contact} href={`/projects/${projectId}/contacts/${contact.id}`} />
        ))}
      </tbody>
    </Table>
  )
}

function ContactRow({ contact, href }: { contact: Contact; href: string }) {
  const name = fullName(contact)
  return (
    <TableRow href={href}>
      <Td>
        <RowLink href={href} prefetch={false} className="block truncate" title={contact.email}>{contact.email}</RowLink>
        {name ? <span className="mt-0.5 block truncate text-muted sm:hidden">{name}</span> : null}
      </Td>
      <Td truncate className="hidden sm:table-cell">{name ?? <span className="text-faint">–</span>}</Td>
      <Td><StatePill unsubscribed={contact.unsubscribed} focusable={false} /></Td>
      <Td numeric muted className="hidden tabular-nums lg:table-cell">{contact.segments.length}</Td>
      <Td numeric muted className="hidden whitespace-nowrap sm:table-cell"><RelativeTime at={contact.createdAt} /></Td>
    </TableRow>
  )
}
