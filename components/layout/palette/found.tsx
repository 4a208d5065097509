import { ContactRound, Filter, Globe, KeyRound, Mail, Tag, Webhook } from "lucide-react"
import type { ReactNode } from "react"
import { statusWords } from "@/components/emails/status"
import { Group, Item } from "@/components/layout/palette/parts"
import type { ThingKind } from "@/components/layout/palette/thing"
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
          <Item value={thing.id} icon={icons[thing.of]} onSelect={() => onOpen(thing.kind, thing.label, thing.href)}>
            {thing.label}
          </Item>
        </Group>
      ) : null}
      <Group title="Emails">
        {emails.map(({ id, subject, to, status }) => (
          <Item
            key={id}
            value={id}
            icon={<Mail />}
            aside={statusWords(status).word}
            onSelect={() => onOpen("Email", subject, `${root}/emails/${id}`)}
          >
            {subject} <span className="ml-1 text-muted">{to[0]}</span>
          </Item>
        ))}
      </Group>
      <Group title="Contacts">
        {contacts.map(({ id, email }) => (
          <Item
            key={id}
            value={id}
            icon={<ContactRound />}
            onSelect={() => onOpen("Contact", email, `${root}/contacts/${id}`)}
          >
            {email}
          </Item>
        ))}
      </Group>
      <Group title="Domains">
        {domains.map(({ id, domain, status }) => (
          <Item
            key={id}
            value={id}
            icon={<Globe />}
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

const icons: Record<ThingKind, ReactNode> = {
  contact: <ContactRound />,
  segment: <Filter />,
  topic: <Tag />,
  domain: <Globe />,
  webhook: <Webhook />,
  key: <KeyRound />,
}

/** The value of the first item. */
export function firstOf({ thing, emails, contacts, domains }: Results): string | undefined {
  return thing?.id ?? emails[0]?.id ?? contacts[0]?.id ?? domains[0]?.id
}
