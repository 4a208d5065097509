import type { ReactNode } from "react"
import { fullName } from "@/components/contacts/names"
import { statusWords } from "@/components/emails/status"
import { kindIcons } from "@/components/layout/palette/kind-icons"
import { Group, Item } from "@/components/layout/palette/parts"
import type { useFound } from "@/components/layout/palette/use-found"

type Results = ReturnType<typeof useFound>
type FoundProps = { found: Results; projectId: string; onOpen: (kind: string, label: string, href: string) => void }

/** What the API has found, each kind under its name. */
export function Found({ found: { thing, emails, contacts, domains }, projectId, onOpen }: FoundProps) {
  const root = `/projects/${projectId}`
  return (
    <>
      {thing ? (
        <Group title={`${thing.kind}s`}>
          <Item
            value={thing.id}
            icon={kindIcons[thing.kind]}
            onSelect={() => onOpen(thing.kind, thing.label, thing.href)}
          >
            {thing.label} <Beside>{thing.person}</Beside>
          </Item>
        </Group>
      ) : null}
      <Group title="Emails">
        {emails.map(({ id, subject, to, status }) => (
          <Item
            key={id}
            value={id}
            icon={kindIcons.Email}
            aside={statusWords(status).word}
            onSelect={() => onOpen("Email", subject, `${root}/emails/${id}`)}
          >
            {subject} <Beside>{to[0]}</Beside>
          </Item>
        ))}
      </Group>
      <Group title="Contacts">
        {contacts.map((contact) => (
          <Item
            key={contact.id}
            value={contact.id}
            icon={kindIcons.Contact}
            onSelect={() => onOpen("Contact", contact.email, `${root}/contacts/${contact.id}`)}
          >
            {contact.email} <Beside>{fullName(contact)}</Beside>
          </Item>
        ))}
      </Group>
      <Group title="Domains">
        {domains.map(({ id, domain, status }) => (
          <Item
            key={id}
            value={id}
            icon={kindIcons.Domain}
            aside={status}
            onSelect={() => onOpen("Domain", domain, `${root}/domains/${id}`)}
          >
            {domain}
          </Item>
        ))}
      </Group>
    </>
  )
}

function Beside({ children }: { children: ReactNode }) {
  return <span className="ml-1 text-muted empty:hidden">{children}</span>
}

/** The value of the first item. */
export function firstOf({ thing, emails, contacts, domains }: Results): string | undefined {
  return thing?.id ?? emails[0]?.id ?? contacts[0]?.id ?? domains[0]?.id
}
