import { queryOptions } from "@tanstack/react-query"
import { call } from "@/components/api/call"
import type { Kind } from "@/components/layout/palette/commands"

/** One that was found by its id. */
export type Thing = { of: ThingKind; kind: string; id: string; label: string; href: string }
export type ThingKind = Exclude<Kind, "email">

type Reader = {
  kind: string
  place: string
  name: (projectId: string, id: string, signal: AbortSignal) => Promise<string | undefined>
}

const readers: Record<ThingKind, Reader> = {
  contact: {
    kind: "Contact",
    place: "contacts",
    name: async (projectId, contactId, signal) =>
      (await call("GET /v1/projects/{projectId}/contacts/{contactId}", { params: { projectId, contactId } }, signal))
        .email,
  },
  segment: {
    kind: "Segment",
    place: "segments",
    name: async (projectId, segmentId, signal) =>
      (await call("GET /v1/projects/{projectId}/segments/{segmentId}", { params: { projectId, segmentId } }, signal))
        .name,
  },
  topic: {
    kind: "Topic",
    place: "topics",
    name: async (projectId, topicId, signal) =>
      (await call("GET /v1/projects/{projectId}/topics/{topicId}", { params: { projectId, topicId } }, signal)).name,
  },
  domain: {
    kind: "Domain",
    place: "domains",
    name: async (projectId, domainId, signal) =>
      (await call("GET /v1/projects/{projectId}/domains/{domainId}", { params: { projectId, domainId } }, signal))
        .domain,
  },
  webhook: {
    kind: "Webhook",
    place: "webhooks",
    name: async (projectId, endpointId, signal) =>
      (await call("GET /v1/projects/{projectId}/webhooks/{endpointId}", { params: { projectId, endpointId } }, signal))
        .name,
  },
  key: {
    kind: "API key",
    place: "api-keys",
    name: async (projectId, keyId, signal) =>
      (await call("GET /v1/projects/{projectId}/api-keys/{keyId}", { params: { projectId, keyId } }, signal)).name,
  },
}

/** Its name and page, or an error where the project has no such thing. */
export function thingQuery(projectId: string, of: ThingKind, id: string) {
  return queryOptions({
    queryKey: ["thing", projectId, of, id],
    queryFn: async ({ signal }): Promise<Thing> => {
      const { kind, place, name } = readers[of]
      return {
        of,
        kind,
        id,
        label: (await name(projectId, id, signal)) ?? id,
        href: `/projects/${projectId}/${place}/${id}`,
      }
    },
    retry: false,
  })
}
