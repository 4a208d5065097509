import { Command } from "cmdk"
import { Children, type ReactNode } from "react"
import { broadcastWords } from "@/components/broadcasts/words"
import { fullName } from "@/components/contacts/words"
import { objectPage } from "@/components/data/object-pages"
import { domainWords } from "@/components/domains/statuses"
import { statusWords } from "@/components/emails/status"
import { icons } from "@/components/layout/navigation"
import type { useFound } from "@/components/layout/palette/use-found"
import { Kbd } from "@/components/ui/text"
import type { BroadcastStatus } from "@/lib/broadcasts/rules"
import { type FoundKind, foundKinds } from "@/lib/search/rules"

type Results = ReturnType<typeof useFound>
type FoundProps = { found: Results; projectId: string; onOpen: (kind: string, label: string, href: string) => void }

/** What the API has found, each kind under its name. */
export function FoundRows({ found: { thing, emails, contacts, domains, named }, projectId, onOpen }: FoundProps) {
  const root = `/projects/${projectId}`
  return (
    <>
      {thing ? (
        <FoundGroup title={`${thing.kind}s`}>
          <Item
            value={thing.id}
            icon={kindIcons[thing.kind]}
            onSelect={() => onOpen(thing.kind, thing.label, thing.href)}
          >
            {thing.label} <Beside>{thing.person}</Beside>
          </Item>
        </FoundGroup>
      ) : null}
      <FoundGroup title="Emails">
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
      </FoundGroup>
      <FoundGroup title="Contacts">
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
      </FoundGroup>
      <FoundGroup title="Domains">
        {domains.map((item) => (
          <Item
            key={item.id}
            value={item.id}
            icon={kindIcons.Domain}
            aside={domainWords(item).word}
            onSelect={() => onOpen("Domain", item.domain, `${root}/domains/${item.id}`)}
          >
            {item.domain}
          </Item>
        ))}
      </FoundGroup>
      {foundKinds.map((kind) => (
        <FoundGroup key={kind} title={`${kindNames[kind]}s`}>
          {named.flatMap(({ id, name, status, ...found }) => {
            const page = found.kind === kind ? objectPage(projectId, id) : null
            if (!page) return []
            return (
              <Item
                key={id}
                value={id}
                icon={kindIcons[page.kind]}
                aside={status && stateWords(kind, status)}
                onSelect={() => onOpen(page.kind, name, page.href)}
              >
                {name}
              </Item>
            )
          })}
        </FoundGroup>
      ))}
    </>
  )
}

const kindNames: Record<FoundKind, string> = {
  topic: "Topic",
  segment: "Segment",
  template: "Template",
  broadcast: "Broadcast",
  api_key: "API key",
  webhook: "Webhook",
}

const keyStates: Record<string, string> = { live: "", expired: "Expired", revoked: "Revoked" }

function stateWords(kind: FoundKind, status: string): string {
  if (kind === "api_key") return keyStates[status] ?? status
  return kind === "broadcast" ? broadcastWords(status as BroadcastStatus).word : status
}

function Beside({ children }: { children: ReactNode }) {
  return <span className="ml-1 text-muted empty:hidden">{children}</span>
}

/** The value of the first item. */
export function firstOf({ thing, emails, contacts, domains, named }: Results): string | undefined {
  return thing?.id ?? emails[0]?.id ?? contacts[0]?.id ?? domains[0]?.id ?? named[0]?.id
}

/** Hidden while it is empty. */
export function FoundGroup({ title, children }: { title: string; children: ReactNode }) {
  if (Children.toArray(children).length === 0) return null
  return (
    <Command.Group
      heading={title}
      className="mb-1 [&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-1.5 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs
        [&_[cmdk-group-heading]]:text-faint"
    >
      {children}
    </Command.Group>
  )
}

type ItemProps = {
  /** Names it among all others; not shown. */
  value: string
  onSelect: () => void
  icon: ReactNode
  aside?: ReactNode
  children: ReactNode
}

export function Item({ value, onSelect, icon, aside, children }: ItemProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1.5 select-none data-[selected=true]:bg-wait-soft
        [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted"
    >
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {aside ? <span className="max-w-2/5 shrink-0 truncate text-xs text-muted">{aside}</span> : null}
    </Command.Item>
  )
}

/** The keys that do the same. */
export function Keys({ keys }: { keys: string[] }) {
  return (
    <span className="flex gap-1">
      {keys.map((key) => (
        <Kbd key={key}>{key}</Kbd>
      ))}
    </span>
  )
}

/** What is found or was opened, by its kind, with the icon that its list has in the side bar. */
export const kindIcons: Record<string, ReactNode> = {
  Email: icons.mail,
  Contact: icons.users,
  Segment: icons.listFilter,
  Topic: icons.hash,
  Domain: icons.globe,
  Webhook: icons.webhook,
  "API key": icons.keyRound,
  Broadcast: icons.megaphone,
  Template: icons.layoutTemplate,
  Request: icons.list,
}
