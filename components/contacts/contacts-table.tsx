import type { Ref } from "react"
import { Absent } from "@/components/ui/text"
import { RestNote, type EndlessRest } from "@/components/ui/endless"
import { RelativeTime } from "@/components/ui/relative-time"
import { Cells, Heads, RowLink, TableRow, type Column } from "@/components/ui/table"
import { fullName, StatePill } from "@/components/contacts/words"
import type { Contact } from "@/components/contacts/queries"

/** The position of these rows in a longer list, and the space of the others. */
type Window = { first: number; above: number; below: number; measure: Ref<HTMLTableRowElement> }

type ContactsTableProps = {
  projectId: string
  contacts: Contact[]
  /** Of the whole list; omitted where it was not counted. */
  total?: number
  window?: Window
  rest?: EndlessRest
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
          <Heads columns={columns} />
        </tr>
      </thead>
      <Room pixels={window?.above} />
      <tbody>
        {contacts.map((contact, at) => {
          const href = `/projects/${projectId}/contacts/${contact.id}`
          return (
            <TableRow
              key={contact.id}
              href={href}
              ref={window?.measure}
              data-index={first + at}
              aria-rowindex={first + at + 2}
            >
              <Cells columns={columns} row={contact} href={href} />
            </TableRow>
          )
        })}
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

const columns: Column<Contact>[] = [
  {
    head: "Address",
    width: "sm:w-[44%] xl:w-[38%]",
    cell: (contact, href) => (
      <>
        <RowLink href={href} prefetch={false} className="block truncate" title={contact.email}>
          {contact.email}
        </RowLink>
        <span className="mt-1 flex items-center justify-between gap-3 sm:hidden">
          <span className="truncate text-muted">{fullName(contact)}</span>
          <StatePill unsubscribed={contact.unsubscribed} inTable />
        </span>
      </>
    ),
  },
  {
    head: "Name",
    from: "sm",
    truncate: true,
    cell: (contact) => fullName(contact) ?? <Absent word="No name" />,
  },
  {
    head: "State",
    from: "sm",
    width: "w-36",
    cell: ({ unsubscribed }) => <StatePill unsubscribed={unsubscribed} inTable />,
  },
  { head: "Segments", from: "lg", width: "w-28", numeric: true, muted: true, cell: ({ segments }) => segments.length },
  {
    head: "Added",
    from: "lg",
    width: "w-36",
    numeric: true,
    muted: true,
    cellClassName: "whitespace-nowrap",
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
]
