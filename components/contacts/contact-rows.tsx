import type { RefObject } from "react"
import type { EndlessRest } from "@/components/ui/endless"
import { useEndless } from "@/components/ui/use-endless"
import { ContactsTable } from "@/components/contacts/contacts-table"
import type { Contact } from "@/components/contacts/queries"

const rowPixels = 41

type ContactRowsProps = {
  projectId: string
  contacts: Contact[]
  total?: number
  rest: EndlessRest
  frame: RefObject<HTMLDivElement | null>
}

/** Any number of contacts, of which only the visible ones are rendered, with space for the others above and below. */
export function ContactRows({ projectId, contacts, total, rest, frame }: ContactRowsProps) {
  const { items, height, measure } = useEndless({ frame, keys: contacts.map(({ id }) => id), rowPixels, rest })
  const first = items[0]?.index ?? 0
  const end = (items.at(-1)?.index ?? -1) + 1
  return (
    <ContactsTable
      projectId={projectId}
      contacts={contacts.slice(first, end)}
      total={total}
      window={{ first, above: items[0]?.start ?? 0, below: height - (items.at(-1)?.end ?? 0), measure }}
      rest={end > contacts.length ? rest : undefined}
    />
  )
}
