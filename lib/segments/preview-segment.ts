import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { decodeId } from "@/lib/platform/ids"
import { createShare } from "@/lib/platform/http/share"
import { requestInvalid } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"
import { checkFilter } from "@/lib/segments/check-filter"
import type { Audience } from "@/lib/segments/preview-sql"
import { explainContact, previewAudience } from "@/lib/segments/preview-store"
import type { Group } from "@/lib/segments/rules"
import { Preview, PreviewAsked } from "@/lib/segments/schema"
import { findSegment } from "@/lib/segments/store"
import { existingTopics } from "@/lib/topics/store"

/** A preview reads all contacts, for up to 2 s. */
const previews = createShare({
  waitMs: 10_000,
  busy: "Too many previews of this project are running. Try again when one has ended.",
})

export const previewSegment = endpoint({
  route: "POST /v1/projects/{projectId}/segments/preview",
  operationId: "previewSegment",
  tag: "Segments",
  summary: "Preview a filter, a segment or a topic",
  description:
    "Returns how many contacts match a filter or are in a segment or topic, with a sample; which contacts a send would exclude and why; and, with `contactId`, why that contact is in or out, condition by condition. Give one of `filter`, `segmentId` and `topicId`; `topicId` together with another previews a send of that topic. The scan takes 2 seconds at most; `exact` says whether it covered all contacts. Nothing is stored or changed.",
  access: allow("contacts:read"),
  bucket: buckets.segments,
  body: PreviewAsked,
  answers: [200, Preview],
  problems: [requestInvalid, projectMissing],
  additive: true,
  example: { body: { filter: { any: [{ field: "email", operator: "ends_with", value: "@lovelace.example" }] } } },

  async run(scope, { body }, { clock }) {
    const { audience, filter, topicId } = await resolve(scope, body)
    const contactId = body.contactId === undefined ? null : decodeId("con", body.contactId)
    const asked = {
      filter,
      segmentId: "segmentId" in audience ? audience.segmentId : null,
      optedIn: "optedIn" in audience ? audience.optedIn : null,
      topicId,
    }
    const contact = contactId && (await explainContact(scope, contactId, asked))
    if (body.contactId !== undefined && !contact) throw refused("/contactId", "Names no contact of this project.")
    const preview = await previews(scope.project.id, () => previewAudience(scope, audience, topicId, clock))
    return { ...preview, ...(contact ? { contact } : {}) }
  },
})

type Resolved = { audience: Audience; filter: Group | null; topicId: string | null }

async function resolve(scope: Scope, { filter, segmentId, topicId }: PreviewAsked): Promise<Resolved> {
  if (filter !== undefined && segmentId !== undefined)
    throw refused("/segmentId", "Give a filter or a segment, not both.")
  const topic = topicId === undefined ? null : decodeId("top", topicId)
  const topicKnown = topic !== null && (await existingTopics(scope.project.id, [topic])).has(topic)
  if (topicId !== undefined && !topicKnown) throw refused("/topicId", "Names no topic of this project.")
  if (filter !== undefined) {
    await checkFilter(scope, filter)
    return { audience: { filter }, filter, topicId: topic }
  }
  if (segmentId !== undefined) {
    const id = decodeId("seg", segmentId)
    const segment = id && (await findSegment(scope, id))
    if (!segment) throw refused("/segmentId", "Names no segment of this project.")
    return { audience: { segmentId: segment.id }, filter: segment.filter ?? null, topicId: topic }
  }
  if (topic === null) throw refused("/filter", "Give a filter, a segmentId or a topicId.")
  return { audience: { optedIn: topic }, filter: null, topicId: topic }
}

function refused(pointer: string, detail: string) {
  return requestInvalid(`${pointer}: ${detail}`, { errors: [{ pointer, detail }] })
}
