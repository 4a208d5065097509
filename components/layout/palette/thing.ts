import { queryOptions } from "@tanstack/react-query"
import { call } from "@/components/data/call"
import { fullName } from "@/components/contacts/names"
import type { Kind } from "@/components/layout/palette/commands"

/** One that was found by its id; `person` is the name of a contact. */
export type Thing = { kind: string; id: string; label: string; person?: string | null; href: string }
export type ThingKind = Exclude<Kind, "email">

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
export function thingQuery(projectId: string, of: ThingKind, id: string) {
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
