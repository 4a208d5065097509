import { ContactRound, Globe, Mail } from "lucide-react"
import { statusWords } from "@/components/emails/status"
import { Group, Item } from "./parts"
import type { useFound } from "./use-found"

type Results = ReturnType<typeof useFound>
type FoundProps = { found: Results; projectId: string; onOpen: (kind: string, label: string, href: string) => void }

/** What the API has found, each kind under its name. */
export function Found({ found: { emails, contacts, domains }, projectId, onOpen }: FoundProps) {
  const root = `/projects/${projectId}`
  return (
    <>
      <Group title="Emails">
        {emails.map(({ id, subject, to, status }) => (
          <Item key={id} value={id} icon={<Mail />} aside={statusWords(status).word} onSelect={() => onOpen("Email", subject, `${root}/emails/${id}`)}>
            {subject} <span className="ml-1 text-muted">{to[0]}</span>
          </Item>
        ))}
      </Group>
      <Group title="Contacts">
        {contacts.map(({ id, email }) => (
          <Item key={id} value={id} icon={<ContactRound />} onSelect={() => onOpen("Contact", email, `${root}/contacts/${id}`)}>{email}</Item>
        ))}
      </Group>
      <Group title="Domains">
        {domains.map(({ id, domain, status }) => (
          <Item key={id} value={id} icon={<Globe />} aside={status} onSelect={() => onOpen("Domain", domain, `${root}/domains/${id}`)}>{domain}</Item>
        ))}
      </Group>
    </>
  )
}

/** The value of the item that stands first among them. */
export function firstOf({ emails, contacts, domains }: Results): string | undefined {
  return emails[0]?.id ?? contacts[0]?.id ?? domains[0]?.id
}
