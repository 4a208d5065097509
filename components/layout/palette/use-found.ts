"use client"

import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { fullName } from "@/components/contacts/words"
import { call } from "@/components/data/call"
import { objectPage } from "@/components/data/object-pages"
import { query } from "@/components/data/query"
import { allDomainsQuery, emailQuery, emailsQuery } from "@/components/emails/queries"
import { domainsLike, type Kind, type WantedCommand, wantedOf } from "@/components/layout/palette/commands"

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
export type Thing = { kind: string; id: string; label: string; person?: string | null; href: string }
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
