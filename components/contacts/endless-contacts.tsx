"use client"

import { useEffect, useRef, useState } from "react"
import { EndlessFrame, type Rest } from "@/components/ui/endless"
import type { ContactRows } from "@/components/contacts/contact-rows"
import { ContactsTable } from "@/components/contacts/contacts-table"
import type { Contact } from "@/components/contacts/queries"

type EndlessContactsProps = { projectId: string; contacts: Contact[]; total?: number; rest: Rest }

/**
 * A list of one page is rendered as it is. A longer one has its own scrolling, whose code is loaded after the page: until
 * then its first rows are in the same frame, so that nothing moves.
 */
export function EndlessContacts({ projectId, contacts, total, rest }: EndlessContactsProps) {
  const frame = useRef<HTMLDivElement>(null)
  const [long, setLong] = useState(rest.more)
  const [Rows, setRows] = useState<typeof ContactRows>()
  if (rest.more && !long) setLong(true)
  useEffect(() => {
    if (long) void import("@/components/contacts/contact-rows").then((module) => setRows(() => module.ContactRows))
  }, [long])

  const plain = <ContactsTable projectId={projectId} contacts={contacts} total={total} />
  if (!long) return plain
  return (
    <EndlessFrame label="Contacts, newest first" frame={frame}>
      {Rows ? <Rows projectId={projectId} contacts={contacts} total={total} rest={rest} frame={frame} /> : plain}
    </EndlessFrame>
  )
}
