import { requirePermission } from "@/lib/access/authorize"
import { buckets } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import { permissionMissing, projectMissing } from "@/lib/access/problems"
import { parseAddress } from "@/lib/addresses/address"
import { type BroadcastContent, readContent, readEntries } from "@/lib/broadcasts/content-schema"
import { findStored } from "@/lib/broadcasts/data"
import { contentFrom, writtenFrom } from "@/lib/broadcasts/from-template"
import { audienceOf, findShownPerson, trackingHostOf, type ShownPerson } from "@/lib/broadcasts/preview/data"
import {
  BroadcastPreview,
  BroadcastPreviewRequest,
  namedMax,
  peopleMax,
  StoredPreviewRequest,
} from "@/lib/broadcasts/preview/schema"
import { broadcastMissing } from "@/lib/broadcasts/schema"
import { sourcesOf } from "@/lib/broadcasts/sending/walk-sql"
import { bodyAsSent } from "@/lib/delivery/message/composed"
import { templateBodies } from "@/lib/emails/content/data"
import { personalOf } from "@/lib/emails/send/accept"
import { sendBytesMax } from "@/lib/emails/send/api"
import { addressHeader } from "@/lib/emails/send/data"
import { type FilledTemplate, neededContactKeys } from "@/lib/emails/templates/compose"
import { contactReader } from "@/lib/emails/templates/data"
import { endpoint } from "@/lib/platform/http/endpoint"
import { fieldsInvalid, requestInvalid } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"
import { decodeId } from "@/lib/platform/ids"
import { findProject } from "@/lib/projects/data"

const about = `Renders it for one contact, byte for byte as it would be sent to them now; only the tokens in tracked links and in the link to unsubscribe are samples. Further, how many people lack a value that a placeholder shows. The first ${peopleMax} people are looked at. Nothing is sent or stored.`

/** What is stored is shown to who may read it where it is stored. */
const readingStored = allow("emails:read")

export const previewBroadcast = endpoint({
  route: "POST /v1/projects/{projectId}/broadcasts/preview",
  operationId: "previewBroadcast",
  strictQuery: true,
  tag: "Broadcasts",
  summary: "Preview broadcast",
  description: `${about} With a \`template\`, it needs \`emails:read\`, too.`,
  access: allow("contacts:read"),
  bucket: buckets.emailSend,
  body: BroadcastPreviewRequest,
  bodyBytesMax: sendBytesMax,
  answers: [200, BroadcastPreview],
  problems: [requestInvalid, permissionMissing, projectMissing],
  additive: true,
  example: {
    body: {
      to: ["seg_01k9q3f7c2e8m9v4x6y8z0a1b3"],
      subject: "{{contact.firstName | Dear reader}}, what is new in November",
      html: "<p>Three things are new this month.</p>",
      placeholders: true,
    },
  },

  async run(scope, { body }) {
    const { template: ref, placeholders, subject = "", html, text, to, contactId, asSent, ...rest } = body
    if (ref) requirePermission(scope, readingStored)
    const written = { subject, html, text }
    const { template, ...content } = ref
      ? await contentFrom(scope, ref)
      : { ...written, template: placeholders ? await writtenFrom(scope, written) : null }
    const topicId = rest.topicId === undefined ? null : decodeId("top", rest.topicId)
    return previewOf(scope, { ...rest, ...content, to, topicId, filled: template?.personal ?? null }, body)
  },
})

export const previewStoredBroadcast = endpoint({
  route: "POST /v1/projects/{projectId}/broadcasts/{broadcastId}/preview",
  operationId: "previewStoredBroadcast",
  strictQuery: true,
  tag: "Broadcasts",
  summary: "Preview stored broadcast",
  description: `${about} It needs \`emails:read\`, too.`,
  access: allow("contacts:read"),
  bucket: buckets.emailSend,
  path: { broadcastId: { prefix: "bc", missing: broadcastMissing } },
  body: StoredPreviewRequest,
  answers: [200, BroadcastPreview],
  problems: [requestInvalid, permissionMissing, projectMissing, broadcastMissing],
  additive: true,

  async run(scope, { path, body }) {
    requirePermission(scope, readingStored)
    const stored = await findStored(scope, path.broadcastId)
    if (!stored) throw broadcastMissing()
    const { topicId: topic, ...content } = readContent(stored.content)
    const topicId = topic === undefined ? null : decodeId("top", topic)
    const [to, filled] = [readEntries(stored.entries), stored.template?.personal ?? null]
    return previewOf(scope, { ...content, to, topicId, filled }, body)
  },
})

type Content = Pick<BroadcastContent, "subject" | "html" | "text" | "headers" | "trackingSettings"> & {
  from?: BroadcastContent["from"] | undefined
  to: Parameters<typeof sourcesOf>[0]
  topicId: string | null
  filled: FilledTemplate | null
}

/** In place of the delivery that there is none of yet: tokens made with it lead nowhere. */
const noDelivery = "00000000-0000-0000-0000-000000000000"

async function previewOf(
  scope: Scope,
  { to, topicId, filled, ...content }: Content,
  { contactId, asSent }: { contactId?: string | undefined; asSent: boolean },
): Promise<BroadcastPreview> {
  const id = contactId === undefined ? null : decodeId("con", contactId)
  const [{ sendable, complete }, chosen, valuesOf] = await Promise.all([
    audienceOf({ projectId: scope.project.id, topicId }, sourcesOf(to), peopleMax),
    id && findShownPerson(scope, id),
    contactReader(scope),
  ])
  if (contactId !== undefined && !chosen)
    throw fieldsInvalid([{ pointer: "/contactId", detail: "Names no contact of this project." }])
  const person: ShownPerson | undefined = chosen || sendable[0]
  const shown = filled ? personalText(filled, person, valuesOf) : content
  const bodies = { html: shown.html ?? null, text: shown.text ?? null }
  const { html, text } = asSent ? await sentBodies(scope, content, bodies, person?.email ?? "") : bodies
  const named = ({ contactId, email }: ShownPerson) => ({ email, ...(contactId !== null && { contactId }) })
  return {
    ...(person && { person: named(person) }),
    subject: shown.subject,
    ...(html !== null && { html }),
    ...(text !== null && { text }),
    people: sendable.slice(0, namedMax).map(named),
    ...{ sendable: sendable.length, complete },
    lacking: (filled ? neededContactKeys(filled.source) : []).flatMap((key) => {
      const count = sendable.filter(({ email, contact }) => !valuesOf(email, contact).has(key)).length
      return count > 0 ? { key, count } : []
    }),
  }
}

type ReadContact = Awaited<ReturnType<typeof contactReader>>

/** Subject and bodies as a worker makes them for this person; without one, those for a contact of whom nothing is known. */
function personalText(filled: FilledTemplate, person: ShownPerson | undefined, valuesOf: ReadContact) {
  const { render } = personalOf(filled, valuesOf)
  const { subject, values } = render(person?.email ?? "", person?.contact ?? null)
  return { subject, ...templateBodies(filled)(new Map(Object.entries(values))) }
}

async function sentBodies(
  scope: Scope,
  { from, headers = {}, trackingSettings = {} }: Omit<Content, "to" | "topicId" | "filled">,
  bodies: { html: string | null; text: string | null },
  email: string,
) {
  const [project, trackingHost] = await Promise.all([
    findProject(scope),
    from ? trackingHostOf(scope, from.domain) : null,
  ])
  const set = { ...project?.trackingSettings, ...trackingSettings }
  const to = parseAddress(email)
  const message = {
    ...{ unsubscribe: true, recipients: 1, headers, toHeaders: to.ok ? [addressHeader(to)] : [] },
    tracking: {
      opens: set.openTracking ?? false,
      clicks: set.clickTracking ?? false,
      reading: set.readEngagement ?? false,
      marks: project?.trackingSettings?.scrollDepth ?? false,
    },
  }
  return bodyAsSent(bodies, message, { deliveryId: noDelivery, trackingHost }).body
}

export const broadcastPreviewOperations = [previewBroadcast, previewStoredBroadcast] as const
