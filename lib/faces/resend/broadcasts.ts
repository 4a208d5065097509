import { z } from "zod"
import type { Api } from "@/lib/api/registry"
import {
  createBroadcast,
  deleteBroadcast,
  duplicateBroadcast,
  getBroadcast,
  listBroadcasts,
  updateBroadcast,
} from "@/lib/broadcasts/api"
import { cancelBroadcast, sendBroadcast } from "@/lib/broadcasts/sending/api"
import { call, type FieldNames, like, given, refused } from "@/lib/faces/face"
import { replyToField } from "@/lib/faces/resend/emails"
import { ResendAnswer, listed, listQuery } from "@/lib/faces/resend/list"
import { endpoint } from "@/lib/platform/http/endpoint"
import { fieldsInvalid } from "@/lib/platform/http/problems"

/** Resend's placeholders, as in `{{{contact.first_name|there}}}` and, older, `{{{FIRST_NAME|there}}}`. */
const placeholder = /\{\{\{([^{}|]*)(?:\|([^{}]*))?\}\}\}/g

const fieldNames: Record<string, string> = {
  ...{ first_name: "firstName", last_name: "lastName", email: "email" },
  ...{ FIRST_NAME: "firstName", LAST_NAME: "lastName", EMAIL: "email" },
}

const content = z
  .string()
  .refine(
    (text) => !text.includes("RESEND_UNSUBSCRIBE_URL"),
    "Leave RESEND_UNSUBSCRIBE_URL out: the link to unsubscribe is added by itself.",
  )
  .optional()

/** A text with its placeholders written as ours. */
function sourceOf(text: string | undefined): string | undefined {
  return text?.replace(placeholder, (_, name: string, fallback?: string) => {
    const key = name.trim().replace(/^contact\./, "")
    const shown = `contact.${fieldNames[key] ?? key}`
    return fallback === undefined ? `{{${shown}}}` : `{{${shown} | ${fallback.trim()}}}`
  })
}

const shape = {
  name: z.string().max(256).optional().describe("`metadata.name`."),
  from: z.string().describe("`from`."),
  subject: z.string().describe("`subject`."),
  html: content.describe(
    "`html`. Placeholders such as `{{{contact.first_name|there}}}` are written as `{{contact.firstName | there}}`; the link to unsubscribe is added by itself.",
  ),
  text: content.describe("`text`, likewise."),
  reply_to: replyToField,
  segment_id: z.string().optional().describe("`to`."),
  audience_id: z.string().optional().describe("`to`."),
  topic_id: z.string().optional().describe("`topicId`."),
  preview_text: refused("write it at the beginning of the HTML."),
}

export const ResendBroadcast = z.strictObject({
  ...shape,
  send: z.boolean().optional().describe("Sends it at once, or at `scheduled_at`; else it is a draft."),
  scheduled_at: z.string().optional().describe("`scheduledAt`: ISO 8601, with `send`."),
})
const BroadcastChange = z.strictObject(shape).partial()

const names: FieldNames = {
  ...{ to: "segment_id", replyTo: "reply_to", topicId: "topic_id", metadata: "name", scheduledAt: "scheduled_at" },
}

function fieldsOf(fields: z.output<typeof BroadcastChange>) {
  const { name, from, reply_to: replyTo, topic_id: topicId } = fields
  const segmentId = fields.segment_id ?? fields.audience_id
  const written = { subject: fields.subject, html: fields.html, text: fields.text }
  const sources = { subject: sourceOf(written.subject), html: sourceOf(written.html), text: sourceOf(written.text) }
  const hasPlaceholders = (["subject", "html", "text"] as const).some((field) => written[field] !== sources[field])
  return given({
    ...{ from, topicId, replyTo: replyTo?.[0], ...sources },
    placeholders: hasPlaceholders ? true : undefined,
    to: segmentId === undefined ? undefined : [segmentId],
    metadata: name === undefined ? undefined : { name },
  })
}

type Head = Api["GET /v1/projects/{projectId}/broadcasts"]["answer"]["data"][number]
type Broadcast = Api["GET /v1/projects/{projectId}/broadcasts/{broadcastId}"]["answer"]

const statuses: Record<string, string> = { draft: "draft", sent: "sent", cancelled: "canceled" }

function headOf({ id, status, to, subject, createdAt, scheduledAt, startedAt, topicId }: Head): ResendAnswer {
  const segmentId = to.find((entry) => entry.startsWith("seg_")) ?? null
  return {
    ...{ id, name: subject, status: statuses[status] ?? "queued", segment_id: segmentId, audience_id: segmentId },
    ...{ created_at: createdAt, scheduled_at: scheduledAt ?? null, sent_at: startedAt ?? null },
    topic_id: topicId ?? null,
  }
}

function shown(broadcast: Broadcast): ResendAnswer {
  const { from, subject, html = null, text = null, replyTo, metadata } = broadcast
  return {
    ...{ object: "broadcast", ...headOf(broadcast), from, subject, html, text, preview_text: null },
    name: metadata?.name ?? subject,
    reply_to: replyTo === undefined ? null : [replyTo],
  }
}

const answers = [200, ResendAnswer] as const

export const resendBroadcasts = [
  endpoint({
    ...like(createBroadcast),
    route: "POST /resend/broadcasts",
    operationId: "resendCreateBroadcast",
    summary: "Create a broadcast",
    body: ResendBroadcast,
    answers,

    async run(scope, { body: { send = false, scheduled_at: scheduledAt, ...body } }, io) {
      if (scheduledAt !== undefined && !send)
        throw fieldsInvalid([{ pointer: "/scheduled_at", detail: "Only together with send." }])
      const broadcast = given({ to: [], ...fieldsOf(body), draft: !send, scheduledAt })
      const { id } = await call(scope, createBroadcast, { body: broadcast, names }, io)
      return { id }
    },
  }),
  endpoint({
    ...like(sendBroadcast, updateBroadcast),
    route: "POST /resend/broadcasts/{broadcastId}/send",
    operationId: "resendSendBroadcast",
    summary: "Send a broadcast",
    body: z.strictObject({ scheduled_at: z.string().optional() }),
    answers,

    async run(scope, { path, body: { scheduled_at: scheduledAt } }, io) {
      if (scheduledAt !== undefined) await call(scope, updateBroadcast, { path, body: { scheduledAt }, names }, io)
      const { id } = await call(scope, sendBroadcast, { path }, io)
      return { id }
    },
  }),
  endpoint({
    ...like(listBroadcasts),
    route: "GET /resend/broadcasts",
    operationId: "resendListBroadcasts",
    summary: "List broadcasts",
    strictQuery: true,
    query: listQuery,
    answers,
    run: (scope, { query }, io) => listed(query, (page) => call(scope, listBroadcasts, { query: page }, io), headOf),
  }),
  endpoint({
    ...like(getBroadcast),
    route: "GET /resend/broadcasts/{broadcastId}",
    operationId: "resendGetBroadcast",
    summary: "Get a broadcast",
    answers,
    run: async (scope, { path }, io) => shown(await call(scope, getBroadcast, { path }, io)),
  }),
  endpoint({
    ...like(updateBroadcast),
    route: "PATCH /resend/broadcasts/{broadcastId}",
    operationId: "resendUpdateBroadcast",
    summary: "Update a broadcast",
    body: BroadcastChange,
    answers,

    async run(scope, { path, body }, io) {
      const { id } = await call(scope, updateBroadcast, { path, body: fieldsOf(body), names }, io)
      return { object: "broadcast", id }
    },
  }),
  endpoint({
    ...like(deleteBroadcast),
    route: "DELETE /resend/broadcasts/{broadcastId}",
    operationId: "resendDeleteBroadcast",
    summary: "Delete a draft",
    answers,

    async run(scope, { path }, io) {
      await call(scope, deleteBroadcast, { path }, io)
      return { object: "broadcast", id: path.broadcastId, deleted: true }
    },
  }),
  endpoint({
    ...like(cancelBroadcast),
    route: "POST /resend/broadcasts/{broadcastId}/cancel",
    operationId: "resendCancelBroadcast",
    summary: "Cancel a broadcast",
    answers,

    async run(scope, { path }, io) {
      const { id } = await call(scope, cancelBroadcast, { path }, io)
      return { object: "broadcast", id }
    },
  }),
  endpoint({
    ...like(duplicateBroadcast),
    route: "POST /resend/broadcasts/{broadcastId}/duplicate",
    operationId: "resendDuplicateBroadcast",
    summary: "Duplicate a broadcast as a draft",
    answers,

    async run(scope, { path }, io) {
      const { id } = await call(scope, duplicateBroadcast, { path }, io)
      return { object: "broadcast", id }
    },
  }),
] as const
