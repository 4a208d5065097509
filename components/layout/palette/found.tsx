"use client"

import { Command } from "cmdk"
import { Children, type ReactNode, useEffect, useState } from "react"
import { broadcastWords } from "@/components/broadcasts/words"
import { fullName } from "@/components/contacts/words"
import { objectPage } from "@/components/data/object-pages"
import { domainWords } from "@/components/domains/statuses"
import { statusWords } from "@/components/emails/status"
import { icons } from "@/components/layout/navigation"
import { Kbd } from "@/components/ui/text"
import type { BroadcastStatus } from "@/lib/broadcasts/rules"
import { type FoundKind, foundKinds } from "@/lib/search/rules"
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query"
import { call } from "@/components/data/call"
import { query } from "@/components/data/query"
import { allDomainsQuery, emailQuery, emailsQuery } from "@/components/emails/queries"
import { domainsLike, type Kind, type WantedCommand, wantedOf } from "@/components/layout/palette/commands"

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

const pauseMs = 200
const emailsMax = 5
/** Emails whose texts have the words: the log itself shows all of them. */
const subjectsMax = 3
const contactsMax = 3

/** What the API finds for this text: asked when its writer pauses, and never for more than a handful. */
export function useFound(projectId: string, text: string) {
  const asked = useSettled(text)
  const wanted = wantedOf(asked)
  const domains = useQuery(allDomainsQuery(projectId))
  const emailId = wanted.kind === "id" && wanted.of === "email" ? wanted.id : undefined
  const byId = useQuery({ ...emailQuery(projectId, emailId ?? ""), enabled: emailId !== undefined, retry: false })
  const named = namedBy(wanted)
  const thing = useQuery({ ...thingQuery(projectId, named?.of ?? "contact", named?.id ?? ""), enabled: named !== null })
  const sought =
    wanted.kind === "address" ? wanted.address : wanted.kind === "words" && wanted.words.length >= 3 ? wanted.words : ""
  const searched = useQuery({
    ...emailsQuery(projectId, { size: wanted.kind === "address" ? emailsMax : subjectsMax, search: sought }),
    enabled: sought !== "",
    placeholderData: keepPreviousData,
    retry: false,
  })
  const contacts = useQuery({
    ...query("GET /v1/projects/{projectId}/contacts", {
      params: { projectId },
      query: { size: contactsMax, search: sought },
    }),
    enabled: sought !== "",
    placeholderData: keepPreviousData,
    retry: false,
  })
  const words = wanted.kind === "words" ? wanted.words : ""
  const byName = useQuery({
    ...query("GET /v1/projects/{projectId}/search", { params: { projectId }, query: { text: words } }),
    enabled: words !== "",
    placeholderData: keepPreviousData,
    retry: false,
  })
  const one = emailId !== undefined && byId.data ? [byId.data] : []
  const several = sought !== "" && searched.data ? searched.data.data : []
  const reads = [byId, thing, searched, contacts, byName]
  return {
    wanted: wantedOf(text),
    thing: (named ? thing.data : undefined) ?? undefined,
    emails: [...one, ...several],
    contacts: sought !== "" ? (contacts.data?.data ?? []) : [],
    domains: domainsLike(domains.data?.data ?? [], text),
    named: words !== "" ? (byName.data?.data ?? []) : [],
    looking: asked !== text || reads.some(({ isFetching }) => isFetching),
  }
}

function namedBy(wanted: WantedCommand): { of: ThingKind; id: string } | null {
  return wanted.kind === "id" && wanted.of !== "email" ? { of: wanted.of, id: wanted.id } : null
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** One that was found by its id; `person` is the name of a contact. */
type Thing = { kind: string; id: string; label: string; person?: string | null; href: string }
type ThingKind = Exclude<Kind, "email">

type Name = { label: string | undefined; person?: string | null }
type Reader = (projectId: string, id: string, signal: AbortSignal) => Promise<Name>

const root = "GET /v1/projects/{projectId}"

const readers: Record<ThingKind, Reader> = {
  async contact(projectId, contactId, signal) {
    const contact = await call(`${root}/contacts/{contactId}`, { params: { projectId, contactId } }, signal)
    return { label: contact.email, person: fullName(contact) }
  },
  async segment(projectId, segmentId, signal) {
    const { name } = await call(`${root}/segments/{segmentId}`, { params: { projectId, segmentId } }, signal)
    return { label: name }
  },
  async topic(projectId, topicId, signal) {
    const { name } = await call(`${root}/topics/{topicId}`, { params: { projectId, topicId } }, signal)
    return { label: name }
  },
  async domain(projectId, domainId, signal) {
    const { domain } = await call(`${root}/domains/{domainId}`, { params: { projectId, domainId } }, signal)
    return { label: domain }
  },
  async webhook(projectId, endpointId, signal) {
    const { name } = await call(`${root}/webhooks/{endpointId}`, { params: { projectId, endpointId } }, signal)
    return { label: name }
  },
  async key(projectId, keyId, signal) {
    const { name } = await call(`${root}/api-keys/{keyId}`, { params: { projectId, keyId } }, signal)
    return { label: name }
  },
  async broadcast(projectId, broadcastId, signal) {
    const { subject } = await call(`${root}/broadcasts/{broadcastId}`, { params: { projectId, broadcastId } }, signal)
    return { label: subject }
  },
  async template(projectId, templateId, signal) {
    const { name } = await call(`${root}/templates/{templateId}`, { params: { projectId, templateId } }, signal)
    return { label: name }
  },
  async request(projectId, requestId, signal) {
    const { method, route } = await call(`${root}/requests/{requestId}`, { params: { projectId, requestId } }, signal)
    return { label: `${method} ${route}` }
  },
}

/** Its name and page, or an error where the project has no such thing. */
function thingQuery(projectId: string, of: ThingKind, id: string) {
  return queryOptions({
    queryKey: ["thing", projectId, of, id],
    queryFn: async ({ signal }): Promise<Thing | null> => {
      const page = objectPage(projectId, id)
      const { label = id, ...rest } = await readers[of](projectId, id, signal)
      return page && { ...page, id, label, ...rest }
    },
    retry: false,
  })
}
