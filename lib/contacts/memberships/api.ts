import { z } from "zod"
import { buckets } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import * as members from "@/lib/contacts/data"
import { changePreferences, contactExists, topicStates } from "@/lib/contacts/data"
import { readMembers } from "@/lib/contacts/list/data"
import { preferencesOf } from "@/lib/contacts/plan"
import {
  AddToSegment,
  contactMissing,
  PreferenceChange,
  type SegmentContact,
  SegmentContactPage,
} from "@/lib/contacts/schema"
import { cursorPage, cursorMissing } from "@/lib/platform/http/cursors"
import { endpoint } from "@/lib/platform/http/endpoint"
import { cursorQuery } from "@/lib/platform/http/paging"
import { requestInvalid } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"
import { decodeId } from "@/lib/platform/ids"
import { id } from "@/lib/platform/schema"
import { existingSegments, type SegmentName, segmentsOf } from "@/lib/segments/data"
import { segmentMissing } from "@/lib/segments/schema"
import { TopicSubscription } from "@/lib/topics/schema"

export const listContactsInSegment = endpoint({
  route: "GET /v1/projects/{projectId}/segments/{segmentId}/contacts",
  operationId: "listContactsInSegment",
  tag: "Segments",
  summary: "List segment members",
  description:
    "Newest contact first. Pass either cursor as `after`. Deep pages cost as much as the first, and contacts that are added or removed meanwhile do not shift the pages.",
  access: allow("contacts:read"),
  bucket: buckets.segments,
  path: { segmentId: { prefix: "seg", missing: segmentMissing } },
  query: cursorQuery(),
  answers: [200, SegmentContactPage],
  problems: [projectMissing, segmentMissing, cursorMissing],

  async run(scope, { path, query }) {
    const page = cursorPage<SegmentContact>(
      `${scope.project.id}|segment|${path.segmentId}`,
      query,
      ({ contactId }) => contactId,
      (position, size) => readMembers(scope, path.segmentId, position, size),
    )
    // Beside each other: a segment that does not exist is refused first, whatever its page says.
    page.catch(() => undefined)
    if (!(await existingSegments(scope.project.id, [path.segmentId])).size) throw segmentMissing()
    return page
  },
})

const contactId = { prefix: "con", missing: contactMissing } as const

export const listContactSegments = endpoint({
  route: "GET /v1/projects/{projectId}/contacts/{contactId}/segments",
  operationId: "listContactSegments",
  tag: "Contacts",
  summary: "List segments of contact",
  description: "The segments that the contact is a member of, by a filter or added manually.",
  access: allow("contacts:read"),
  bucket: buckets.contacts,
  path: { contactId },
  answers: [200, z.array(id("seg"))],
  problems: [projectMissing, contactMissing],

  async run(scope, { path }) {
    if (!(await contactExists(scope, path.contactId))) throw contactMissing()
    return segmentsOf(scope, path.contactId)
  },
})

export const addContactToSegment = endpoint({
  route: "POST /v1/projects/{projectId}/contacts/{contactId}/segments",
  operationId: "addContactToSegment",
  tag: "Contacts",
  summary: "Add contact to segment",
  description: "Idempotent. A contact added manually remains a member, whatever the segment's filter says.",
  access: allow("contacts:write"),
  bucket: buckets.contacts,
  path: { contactId },
  body: AddToSegment,
  answers: [204],
  problems: [projectMissing, contactMissing, segmentMissing],
  example: { body: { segmentId: "seg_01k9q3f7c2e8m9v4x6y8z0a1b3" } },

  async run(scope, { path, body }) {
    const segment = await bothExist(scope, path.contactId, decodeId("seg", body.segmentId))
    if (!(await members.addMember(scope, path.contactId, segment))) throw contactMissing()
  },
})

export const removeContactFromSegment = endpoint({
  route: "DELETE /v1/projects/{projectId}/contacts/{contactId}/segments/{segmentId}",
  operationId: "removeContactFromSegment",
  tag: "Contacts",
  summary: "Remove contact from segment",
  description:
    "Idempotent; the contact itself is unchanged. The segment's filter does not add the contact again; only adding it manually does.",
  access: allow("contacts:write"),
  bucket: buckets.contacts,
  path: { contactId, segmentId: { prefix: "seg", missing: segmentMissing } },
  answers: [204],
  problems: [projectMissing, contactMissing, segmentMissing],

  async run(scope, { path }) {
    const segment = await bothExist(scope, path.contactId, path.segmentId)
    if (!(await members.removeFromSegment(scope, path.contactId, segment))) throw contactMissing()
  },
})

/** Reads both in one statement; what is missing is asked for only if it has found nothing. */
async function bothExist(scope: Scope, contact: string, segmentId: string | null): Promise<SegmentName> {
  const named = await existingSegments(scope.project.id, segmentId ? [segmentId] : [], contact)
  const [segment] = named.values()
  if (segment) return segment
  throw (await contactExists(scope, contact)) ? segmentMissing() : contactMissing()
}

export const getContactTopics = endpoint({
  route: "GET /v1/projects/{projectId}/contacts/{contactId}/topics",
  operationId: "getContactTopics",
  tag: "Contacts",
  summary: "Get topic subscriptions of contact",
  description: "One entry for each topic of the project: the contact's own preference, or else the topic's default.",
  access: allow("contacts:read"),
  bucket: buckets.contacts,
  path: { contactId },
  answers: [200, z.array(TopicSubscription)],
  problems: [projectMissing, contactMissing],

  async run(scope, { path }) {
    if (!(await contactExists(scope, path.contactId))) throw contactMissing()
    const states = await topicStates(scope, { contactId: path.contactId })
    return states.map(({ topicId, subscription }) => ({ topicId, subscription }))
  },
})

export const updateContactTopics = endpoint({
  route: "PATCH /v1/projects/{projectId}/contacts/{contactId}/topics",
  operationId: "updateContactTopics",
  tag: "Contacts",
  summary: "Update topic subscriptions of contact",
  description: "Sets the contact's own preference for the listed topics; all others are unchanged.",
  access: allow("contacts:write"),
  bucket: buckets.contacts,
  path: { contactId },
  body: PreferenceChange,
  answers: [204],
  problems: [requestInvalid, projectMissing, contactMissing],
  example: { body: { topics: [{ id: "top_01k9q3f7c2e8m9v4x6y8z0a1b3", subscription: "opt_out" }] } },

  async run(scope, { path, body }) {
    if (!(await contactExists(scope, path.contactId))) throw contactMissing()
    const wanted = await preferencesOf(scope, body.topics)
    if (!(await changePreferences(scope, path.contactId, wanted))) throw contactMissing()
  },
})
