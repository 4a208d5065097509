"use client"

import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { fullName } from "@/components/contacts/words"
import { call } from "@/components/data/call"
import { query } from "@/components/data/query"
import { allDomainsQuery, emailQuery, emailsQuery } from "@/components/emails/queries"
import { domainsLike, type Kind, type WantedCommand, wantedOf } from "@/components/layout/palette/commands"

const pauseMs = 200
const emailsMax = 5
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
  const byAddress = useQuery({
    ...emailsQuery(projectId, { size: emailsMax, search: wanted.kind === "address" ? wanted.address : "" }),
    enabled: wanted.kind === "address",
    placeholderData: keepPreviousData,
  })
  const sought =
    wanted.kind === "address" ? wanted.address : wanted.kind === "words" && wanted.words.length >= 3 ? wanted.words : ""
  const contacts = useQuery({
    ...query("GET /v1/projects/{projectId}/contacts", {
      params: { projectId },
      query: { size: contactsMax, search: sought },
    }),
    enabled: sought !== "",
    placeholderData: keepPreviousData,
    retry: false,
  })
  const one = emailId !== undefined && byId.data ? [byId.data] : []
  const several = wanted.kind === "address" && byAddress.data ? byAddress.data.data : []
  return {
    wanted: wantedOf(text),
    thing: named ? thing.data : undefined,
    emails: [...one, ...several],
    contacts: sought !== "" ? (contacts.data?.data ?? []) : [],
    domains: domainsLike(domains.data?.data ?? [], text),
    looking: asked !== text || byId.isFetching || thing.isFetching || byAddress.isFetching || contacts.isFetching,
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

type Reader = {
  kind: string
  place: string
  read: (projectId: string, id: string, signal: AbortSignal) => Promise<Read>
}

type Read = { label: string | undefined; person?: string | null }

const readers: Record<ThingKind, Reader> = {
  contact: {
    kind: "Contact",
    place: "contacts",
    read: async (projectId, contactId, signal) => {
      const params = { projectId, contactId }
      const contact = await call("GET /v1/projects/{projectId}/contacts/{contactId}", { params }, signal)
      return { label: contact.email, person: fullName(contact) }
    },
  },
  segment: {
    kind: "Segment",
    place: "segments",
    read: async (projectId, segmentId, signal) => ({
      label: (
        await call("GET /v1/projects/{projectId}/segments/{segmentId}", { params: { projectId, segmentId } }, signal)
      ).name,
    }),
  },
  topic: {
    kind: "Topic",
    place: "topics",
    read: async (projectId, topicId, signal) => ({
      label: (await call("GET /v1/projects/{projectId}/topics/{topicId}", { params: { projectId, topicId } }, signal))
        .name,
    }),
  },
  domain: {
    kind: "Domain",
    place: "domains",
    read: async (projectId, domainId, signal) => ({
      label: (
        await call("GET /v1/projects/{projectId}/domains/{domainId}", { params: { projectId, domainId } }, signal)
      ).domain,
    }),
  },
  webhook: {
    kind: "Webhook",
    place: "webhooks",
    read: async (projectId, endpointId, signal) => ({
      label: (
        await call("GET /v1/projects/{projectId}/webhooks/{endpointId}", { params: { projectId, endpointId } }, signal)
      ).name,
    }),
  },
  key: {
    kind: "API key",
    place: "api-keys",
    read: async (projectId, keyId, signal) => ({
      label: (await call("GET /v1/projects/{projectId}/api-keys/{keyId}", { params: { projectId, keyId } }, signal))
        .name,
    }),
  },
}

/** Its name and page, or an error where the project has no such thing. */
function thingQuery(projectId: string, of: ThingKind, id: string) {
  return queryOptions({
    queryKey: ["thing", projectId, of, id],
    queryFn: async ({ signal }): Promise<Thing> => {
      const { kind, place, read } = readers[of]
      const { label = id, ...rest } = await read(projectId, id, signal)
      return { kind, id, label, ...rest, href: `/projects/${projectId}/${place}/${id}` }
    },
    retry: false,
  })
}
