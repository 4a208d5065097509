import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { z } from "zod"
import * as members from "@/lib/contacts/membership-store"
import { existingSegments, type SegmentName, segmentsOf } from "@/lib/segments/data"
import { contactMissing } from "@/lib/contacts/problems"
import { AddToSegment } from "@/lib/contacts/schema"
import { contactExists } from "@/lib/contacts/store"
import { endpoint } from "@/lib/platform/http/endpoint"
import { decodeId } from "@/lib/platform/ids"
import { id } from "@/lib/platform/schema"
import type { Scope } from "@/lib/platform/http/scope"
import { segmentMissing } from "@/lib/segments/schema"

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
    if (!(await members.removeMember(scope, path.contactId, segment))) throw contactMissing()
  },
})

/** Reads both in one statement; what is missing is asked for only if it has found nothing. */
async function bothExist(scope: Scope, contact: string, segmentId: string | null): Promise<SegmentName> {
  const named = await existingSegments(scope.project.id, segmentId ? [segmentId] : [], contact)
  const [segment] = named.values()
  if (segment) return segment
  throw (await contactExists(scope, contact)) ? segmentMissing() : contactMissing()
}
