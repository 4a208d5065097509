import type { Ref } from "react"
import { RestNote, type Rest } from "@/components/ui/endless"
import { RelativeTime } from "@/components/ui/relative-time"
import { Td, Th } from "@/components/ui/table"
import { RowLink, TableRow } from "@/components/ui/table-row"
import { fullName } from "@/components/contacts/names"
import type { Contact } from "@/components/contacts/queries"
import { StatePill } from "@/components/contacts/state-pill"

/** The position of these rows in a longer list, and the space of the others. */
type Window = { first: number; above: number; below: number; measure: Ref<HTMLTableRowElement> }

type ContactsTableProps = {
  projectId: string
  contacts: Contact[]
  /** Of the whole list; omitted where it was not counted. */
  total?: number
  window?: Window
  rest?: Rest
}

/** A phone shows no more columns, and a cell over more than there are would make some. */
const columnsLeast = 1

/** Contacts, newest first; on a phone the name is below the address. */
export function ContactsTable({ projectId, contacts, total, window, rest }: ContactsTableProps) {
  const first = window?.first ?? 0
  return (
    <table
      aria-label="Contacts"
      aria-rowcount={total === undefined ? -1 : total + 1}
      className="w-full table-fixed border-separate border-spacing-0 [&_tbody:last-child_tr:last-child>td]:border-b-0"
    >
      <thead className="sticky top-0 z-10 bg-panel">
        <tr aria-rowindex={1}>
          <Th className="sm:w-[44%] xl:w-[38%]">Address</Th>
          <Th className="hidden sm:table-cell">Name</Th>
          <Th className="hidden w-36 sm:table-cell">State</Th>
          <Th className="hidden w-28 lg:table-cell" numeric>
            Segments
          </Th>
          <Th className="hidden w-36 lg:table-cell" numeric>
            Added
          </Th>
        </tr>
      </thead>
      <Room pixels={window?.above} />
      <tbody>
        {contacts.map((contact, at) => (
          <ContactRow
            key={contact.id}
            contact={contact}
            href={`/projects/${projectId}/contacts/${contact.id}`}
            index={first + at}
            measure={window?.measure}
          />
        ))}
        {rest ? (
          <tr>
            <td colSpan={columnsLeast}>
              <RestNote {...rest} />
            </td>
          </tr>
        ) : null}
      </tbody>
      <Room pixels={window?.below} />
    </table>
  )
}

/** The space of rows that are not rendered. */
function Room({ pixels }: { pixels?: number }) {
  return pixels ? (
    <tbody aria-hidden="true">
      <tr>
        <td className="p-0" style={{ height: pixels }} />
      </tr>
    </tbody>
  ) : null
}

type ContactRowProps = { contact: Contact; href: string; index: number; measure?: Ref<HTMLTableRowElement> }

function ContactRow({ contact, href, index, measure }: ContactRowProps) {
  const name = fullName(contact)
  return (
    <TableRow href={href} ref={measure} data-index={index} aria-rowindex={index + 2}>
      <Td>
        <RowLink href={href} prefetch={false} className="block truncate" title={contact.email}>
          {contact.email}
        </RowLink>
        <span className="mt-1 flex items-center justify-between gap-3 sm:hidden">
          <span className="truncate text-muted">{name}</span>
          <StatePill unsubscribed={contact.unsubscribed} inTable />
        </span>
      </Td>
      <Td truncate className="hidden sm:table-cell">
        {name ?? <span className="text-faint">–</span>}
      </Td>
      <Td className="hidden sm:table-cell">
        <StatePill unsubscribed={contact.unsubscribed} inTable />
      </Td>
      <Td numeric muted className="hidden tabular-nums lg:table-cell">
        {contact.segments.length}
      </Td>
      <Td numeric muted className="hidden whitespace-nowrap lg:table-cell">
        <RelativeTime at={contact.createdAt} />
      </Td>
    </TableRow>
  )
}
