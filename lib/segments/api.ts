import { buckets } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { type DeclaredProperties, declaredProperties } from "@/lib/contact-properties/data"
import { valueFault } from "@/lib/contact-properties/rules"
import { endpoint } from "@/lib/platform/http/endpoint"
import { page, pageQuery } from "@/lib/platform/http/paging"
import type { FieldProblem } from "@/lib/platform/http/problem"
import { requestInvalid } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"
import { createShare } from "@/lib/platform/jobs/turns"
import { decodeId, encodeId } from "@/lib/platform/ids"
import { fixedLimitReached, limitReached } from "@/lib/projects/schema"
import * as segments from "@/lib/segments/data"
import { findSegment, hideSegment } from "@/lib/segments/data"
import { removeMembers } from "@/lib/segments/removal/data"
import { renewSegmentsNaming, renewSegmentsOf } from "@/lib/segments/passes/data"
import { beginPass } from "@/lib/segments/passes/worker"
import { type PreviewAudience, explainContact, previewAudience } from "@/lib/segments/preview/data"
import {
  type Condition,
  conditionsOf,
  dayWindows,
  type Group,
  type NamedFault,
  namedDepthMax,
  presences,
  segmentsMax,
  timeOperators,
} from "@/lib/segments/rules"
import {
  NewSegment,
  Preview,
  PreviewAsked,
  Segment,
  SegmentChange,
  segmentMissing,
  SegmentPage,
  segmentTaken,
} from "@/lib/segments/schema"
import * as topics from "@/lib/topics/data"
import { existingTopics, removePreferences } from "@/lib/topics/data"
import { topicMissing } from "@/lib/topics/schema"

export const listSegments = endpoint({
  route: "GET /v1/projects/{projectId}/segments",
  operationId: "listSegments",
  tag: "Segments",
  summary: "List segments",
  description: "Newest first. Member counts are stored, so a list costs the same however many members there are.",
  access: allow("contacts:read"),
  bucket: buckets.segments,
  query: pageQuery(),
  answers: [200, SegmentPage],
  problems: [projectMissing],

  async run(scope, { query }) {
    const { data, total } = await segments.readSegmentPage(scope, query)
    return page(query, data, total)
  },
})

export const createSegment = endpoint({
  route: "POST /v1/projects/{projectId}/segments",
  operationId: "createSegment",
  tag: "Segments",
  summary: "Create segment",
  description:
    "Without a filter, the members are the contacts added to the segment. With the additive `filter`, the members are the contacts that match; they are updated within seconds when contacts, preferences or email events change, and conditions on recent days are evaluated again every hour. A manually added contact stays in; a manually removed one stays out until it is added again. With many contacts, the first members are computed in the background: `building` shows the progress.",
  access: allow("contacts:write"),
  bucket: buckets.segments,
  body: NewSegment,
  answers: [201, Segment],
  location: "/v1/projects/{projectId}/segments/{id}",
  problems: [requestInvalid, limitReached, projectMissing, segmentMissing, segmentTaken],
  example: {
    body: {
      name: "Readers",
      filter: { all: [{ field: "engagement", event: "opened", operator: "within_days", days: 30 }] },
    },
  },

  async run(scope, { body }) {
    if (body.filter) await checkFilter(scope, body.filter)
    const added = await segments.addSegment(scope, body)
    if (added === "taken") throw segmentTaken(`A segment named ${body.name} is there already.`)
    if (added === "full") throw fixedLimitReached("segments", segmentsMax)
    if ("why" in added) throw refusedName(body.filter, added)
    if (!body.filter) return added
    await beginPass(scope.project.id, added.id)
    const segment = await segments.findSegment(scope, added.id)
    if (!segment) throw segmentMissing()
    return segment
  },
})

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

type Resolved = { audience: PreviewAudience; filter: Group | null; topicId: string | null }

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

/** What is wrong with a segment that a filter names, where the filter names it. */
function refusedName(filter: Group | null | undefined, { id, why }: NamedFault) {
  const named = encodeId("seg", id)
  const isIt = ({ condition }: { condition: Condition }) =>
    condition.field === "segment" && condition.segmentId === named
  const pointer = filter ? (conditionsOf(filter).find(isIt)?.pointer ?? "") : ""
  return refused(`/filter${pointer}/segmentId`, namedFaultWords[why])
}

const namedFaultWords: Record<NamedFault["why"], string> = {
  missing: "Names no segment of this project.",
  circle: "That segment's filter leads back to this one.",
  depth: `More than ${namedDepthMax} segments would name each other in a row.`,
}

function refused(pointer: string, detail: string) {
  return requestInvalid(`${pointer}: ${detail}`, { errors: [{ pointer, detail }] })
}

export const getSegment = endpoint({
  route: "GET /v1/projects/{projectId}/segments/{segmentId}",
  operationId: "getSegment",
  tag: "Segments",
  summary: "Get segment",
  description: "One segment with its filter and the number of its members.",
  access: allow("contacts:read"),
  bucket: buckets.segments,
  path: { segmentId: { prefix: "seg", missing: segmentMissing } },
  answers: [200, Segment],
  problems: [projectMissing, segmentMissing],

  async run(scope, { path }) {
    const segment = await segments.findSegment(scope, path.segmentId)
    if (!segment) throw segmentMissing()
    return segment
  },
})

export const updateSegment = endpoint({
  route: "PATCH /v1/projects/{projectId}/segments/{segmentId}",
  operationId: "updateSegment",
  tag: "Segments",
  summary: "Update segment",
  description:
    "Omitted fields are unchanged (RFC 7396); `filter: null` removes the filter. A new filter changes the members in the background, in steps that block no other change; `building` shows the progress.",
  access: allow("contacts:write"),
  bucket: buckets.segments,
  path: { segmentId: { prefix: "seg", missing: segmentMissing } },
  body: SegmentChange,
  answers: [200, Segment],
  problems: [requestInvalid, projectMissing, segmentMissing, segmentTaken],
  additive: true,
  example: { body: { name: "Regular readers" } },

  async run(scope, { path, body }) {
    if (body.filter) await checkFilter(scope, body.filter)
    const changed = await segments.changeSegment(scope, path.segmentId, body)
    if (changed === "missing") throw segmentMissing()
    if (changed === "taken") throw segmentTaken(`A segment named ${body.name} is there already.`)
    if (typeof changed === "object") throw refusedName(body.filter, changed)
    if (body.filter !== undefined) await beginPass(scope.project.id, path.segmentId)
    const segment = await segments.findSegment(scope, path.segmentId)
    if (!segment) throw segmentMissing()
    return segment
  },
})

/** Enough to remove a segment of the usual size before the response. */
const removalMs = 500

export const deleteSegment = endpoint({
  route: "DELETE /v1/projects/{projectId}/segments/{segmentId}",
  operationId: "deleteSegment",
  tag: "Segments",
  summary: "Delete segment",
  description:
    "Permanent. Its contacts remain, their memberships are deleted. A filter of another segment that names it matches nobody from then on, until it is changed. After the response no operation shows the segment or its members; very many memberships are deleted in the background.",
  access: allow("contacts:write"),
  bucket: buckets.segments,
  path: { segmentId: { prefix: "seg", missing: segmentMissing } },
  answers: [204],
  problems: [projectMissing, segmentMissing],

  async run(scope, { path }) {
    if (!(await hideSegment(scope, path.segmentId, renewSegmentsNaming))) throw segmentMissing()
    await removeMembers(removalMs, path.segmentId)
  },
})

const topicRemovalMs = 2_000

/** Here and not among topics, because segments are above them: those whose filters name the topic are evaluated again. */
export const deleteTopic = endpoint({
  route: "DELETE /v1/projects/{projectId}/topics/{topicId}",
  operationId: "deleteTopic",
  tag: "Topics",
  summary: "Delete topic",
  description:
    "Permanent; the preferences of its contacts are lost. Email of the topic that has not been sent, such as scheduled email, is not sent; it ends as `suppressed` with the reason `topic_deleted`. A segment's filter that names it matches nobody from then on, until it is changed. After the response no operation shows the topic; very many preferences are removed in the background.",
  access: allow("contacts:write"),
  bucket: buckets.topics,
  path: { topicId: { prefix: "top", missing: topicMissing } },
  answers: [204],
  problems: [projectMissing, topicMissing],

  async run(scope, { path }) {
    if (!(await topics.hideTopic(scope, path.topicId, renewSegmentsOf))) throw topicMissing()
    await removePreferences(topicRemovalMs, path.topicId)
  },
})

/** @throws requestInvalid where a condition names a topic or property that the project lacks, or compares it wrongly */
async function checkFilter(scope: Scope, filter: Group, at = "/filter"): Promise<void> {
  const conditions = conditionsOf(filter)
  const topicIds = conditions.flatMap(({ condition }) =>
    condition.field === "topic" ? (decodeId("top", condition.topicId) ?? []) : [],
  )
  const segmentIds = conditions.flatMap(({ condition }) =>
    condition.field === "segment" ? (decodeId("seg", condition.segmentId) ?? []) : [],
  )
  const asksForProperties = conditions.some(({ condition }) => condition.field === "property")
  const [topics, named, properties] = await Promise.all([
    existingTopics(scope.project.id, topicIds),
    segments.existingSegments(scope.project.id, segmentIds),
    asksForProperties ? declaredProperties(scope.project.id) : new Map(),
  ])
  const known = { topics, segments: named, properties }
  const errors = conditions.flatMap(({ pointer, condition }) => faultsOf(condition, `${at}${pointer}`, known))
  if (errors.length) throw requestInvalid(`${errors[0]?.pointer}: ${errors[0]?.detail}`, { errors })
}

type KnownNames = {
  topics: ReadonlySet<string>
  segments: ReadonlyMap<string, unknown>
  properties: DeclaredProperties
}

function faultsOf(
  condition: Condition,
  at: string,
  { topics, segments: named, properties }: KnownNames,
): FieldProblem[] {
  if (condition.field === "segment") {
    const known = named.has(decodeId("seg", condition.segmentId) ?? "")
    return known ? [] : [{ pointer: `${at}/segmentId`, detail: "Names no segment of this project." }]
  }
  if (condition.field === "topic") {
    const known = topics.has(decodeId("top", condition.topicId) ?? "")
    return known ? [] : [{ pointer: `${at}/topicId`, detail: "Names no topic of this project." }]
  }
  if (condition.field !== "property") return []
  const declared = properties.get(condition.key)
  if (!declared) return [{ pointer: `${at}/key`, detail: "Names no contact property of this project." }]
  if ((presences as readonly string[]).includes(condition.operator)) return []
  if (isDateOperator(condition.operator) && declared.type !== "date")
    return [
      {
        pointer: `${at}/operator`,
        detail: `Compares dates; the values of this property are ${typeWords[declared.type]}.`,
      },
    ]
  if (!("value" in condition) || condition.value === undefined) return []
  const value = String(condition.value)
  const isOfType = typeof condition.value === (declared.type === "date" ? "string" : declared.type)
  if (isOfType && valueFault(declared.type, value) === null) return []
  return [{ pointer: `${at}/value`, detail: `Must be ${typeWords[declared.type]}, as the property is.` }]
}

const typeWords = { string: "text", number: "a number", boolean: "true or false", date: "a date such as 2026-03-31" }

const isDateOperator = (operator: string) => [...timeOperators, ...dayWindows].some((one) => one === operator)

export const segmentOperations = [
  listSegments,
  createSegment,
  previewSegment,
  getSegment,
  updateSegment,
  deleteSegment,
] as const
