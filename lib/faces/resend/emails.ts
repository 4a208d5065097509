import { z } from "zod"
import {
  type FieldNames,
  call,
  like,
  ofItem,
  sendEach,
  messageOf,
  given,
  refused,
  refuseRepeated,
  templateRef,
} from "@/lib/faces/face"
import type { Api } from "@/lib/api/registry"
import { cancelEmail } from "@/lib/delivery/scheduling/api"
import { getEmail, rescheduleEmail } from "@/lib/emails/api"
import { listEmails } from "@/lib/emails/log/api"
import { batchSendEmails, sendEmail } from "@/lib/emails/send/api"
import { ResendAnswer, listed, listQuery } from "@/lib/faces/resend/list"
import { env } from "@/lib/platform/env/env"
import { endpoint } from "@/lib/platform/http/endpoint"
import { parseBody } from "@/lib/platform/http/perform"
import { type FieldProblem, Problem, type ProblemDocument, problemDocument } from "@/lib/platform/http/problem"
import { fieldsInvalid } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"
import type { Io } from "@/lib/platform/io"

const addresses = z.union([z.string().transform((one) => [one]), z.array(z.string()).max(1_000)])

export const replyToField = z
  .union([z.string().transform((one) => [one]), z.array(z.string()).max(1, "May hold one address.")])
  .optional()
  .describe("`replyTo`: one address.")

export const ResendEmail = z.strictObject({
  from: z.string().describe("`from`."),
  to: addresses.describe(
    "`to`. Several addresses get a message each, unless there is `cc` or `bcc`: then all share one.",
  ),
  cc: addresses.optional().describe("`cc`."),
  bcc: addresses.optional().describe("`bcc`."),
  reply_to: replyToField,
  subject: z.string().optional().describe("`subject`. With `template` it is refused: the template gives the subject."),
  html: z.string().optional().describe("`html`."),
  text: z.string().optional().describe("`text`."),
  headers: z.record(z.string(), z.string()).optional().describe("`headers`."),
  attachments: z
    .array(
      z.strictObject({
        content: z.string().optional(),
        filename: z.string().optional(),
        path: refused("attach the content itself; nothing is fetched."),
        content_type: z.string().optional(),
        content_id: z.string().optional(),
      }),
    )
    .optional()
    .describe(
      "`attachments`. Without `content_type` they are `application/octet-stream`; `path` is refused, because nothing is fetched.",
    ),
  tags: z
    .array(z.strictObject({ name: z.string(), value: z.string() }))
    .max(50)
    .superRefine((tags, context) =>
      refuseRepeated(
        tags.map(({ name }, at) => ({ name, path: [at, "name"] })),
        context,
      ),
    )
    .optional()
    .describe("`tags`."),
  scheduled_at: z.string().optional().describe("`scheduledAt`: ISO 8601. Words such as `in 1 hour` are refused."),
  template: z
    .strictObject({ id: z.string(), variables: z.record(z.string(), z.unknown()).optional() })
    .optional()
    .describe("`template`: by a `tpl_` id or the name of a template."),
  topic_id: z.string().optional().describe("`topicId`."),
})

export type ResendEmail = z.output<typeof ResendEmail>

/** The names of our fields. */
const resendNames: FieldNames = {
  ...{ replyTo: "reply_to", scheduledAt: "scheduled_at", topicId: "topic_id", idempotencyKey: "Idempotency-Key" },
}

/** The same in an email of a batch. */
function resendNamesAt(index: number): FieldNames {
  const all = { ...Object.fromEntries(Object.keys(ResendEmail.shape).map((name) => [name, name])), ...resendNames }
  return Object.fromEntries(Object.entries(all).map(([ours, name]) => [ours, `${index}/${name}`]))
}

/** The body of `POST /v1/emails`. */
function fromResend(email: ResendEmail, idempotencyKey?: string): Record<string, unknown> {
  const { from, to, cc, bcc, subject = "", html, text, headers, template } = email
  return given({
    ...{ from, to, cc, bcc, subject, html, text, headers, idempotencyKey },
    replyTo: email.reply_to?.[0],
    attachments: email.attachments?.map((file) =>
      given({
        filename: file.filename ?? "attachment",
        content: file.content ?? "",
        contentType: file.content_type ?? "application/octet-stream",
        contentId: file.content_id,
        disposition: file.content_id === undefined ? undefined : "inline",
      }),
    ),
    tags: email.tags && Object.fromEntries(email.tags.map(({ name, value }) => [name, value])),
    scheduledAt: email.scheduled_at,
    template: template && { ...templateRef(template.id), variables: template.variables ?? {} },
    topicId: email.topic_id,
  })
}

function idempotencyKeyOf({ request }: Scope): string | undefined {
  return request.headers.get("idempotency-key") ?? undefined
}

const resendSend = endpoint({
  ...like(sendEmail),
  route: "POST /resend/emails",
  operationId: "resendSend",
  summary: "Send an email",
  readsIdempotencyKeyHeader: true,
  body: ResendEmail,
  answers: [200, ResendAnswer],

  async run(scope, { body }, io) {
    const { id } = await call(
      scope,
      sendEmail,
      { body: fromResend(body, idempotencyKeyOf(scope)), names: resendNames },
      io,
    )
    return { id }
  },
})

type Item = { email?: Record<string, unknown>; refused?: Problem }

const resendSendBatch = endpoint({
  ...like(batchSendEmails),
  route: "POST /resend/emails/batch",
  operationId: "resendSendBatch",
  summary: "Send a batch of emails",
  readsIdempotencyKeyHeader: true,
  // Each is read by its own schema, so that an invalid one need not keep the others.
  body: z.array(z.unknown()).min(1, "Must hold an email.").max(100, "May hold 100 emails."),
  checksItemsOf: "",
  answers: [200, ResendAnswer],

  async run(scope, { body }, io) {
    const key = idempotencyKeyOf(scope)
    const items = body.map((item, at) => readItem(item, key === undefined ? undefined : `${key}/${at}`))
    return scope.request.headers.get("x-batch-validation") === "permissive"
      ? sendValid(scope, items, io)
      : sendAll(scope, items, io)
  },
})

function readItem(item: unknown, key: string | undefined): Item {
  try {
    return { email: fromResend(parseBody(ResendEmail, item), key) }
  } catch (error) {
    if (error instanceof Problem) return { refused: error }
    throw error
  }
}

/** All or none of them. */
async function sendAll(scope: Scope, items: readonly Item[], io: Io): Promise<ResendAnswer> {
  const faults = items.flatMap(({ refused }, at): FieldProblem[] =>
    (refused?.extras.errors ?? []).map(({ pointer, detail }) => ({ pointer: `/${at}${pointer}`, detail })),
  )
  if (faults.length > 0) throw fieldsInvalid(faults)
  const sendAt = (at: number) => items[at]?.email ?? {}
  const ids = await sendEach(scope, items.length, sendAt, resendNamesAt, io)
  return { data: ids.map((id) => ({ id })) }
}

/** Those that are valid; the others are told by their place. */
async function sendValid(scope: Scope, items: readonly Item[], io: Io): Promise<ResendAnswer> {
  const about = { baseUrl: env().baseUrl, requestId: "" }
  const errors = items.flatMap(({ refused }, index) =>
    refused ? [{ index, message: messageOf(problemDocument(refused, about)) }] : [],
  )
  const places = items.flatMap(({ email }, index) => (email ? [{ email, index }] : []))
  if (places.length === 0) return { data: [], errors }
  const emails = places.map(({ email }) => email)
  const { results } = await call(scope, batchSendEmails, { body: { items: emails } }, io)
  const data: ResendAnswer[] = []
  for (const [at, { id, problem }] of results.entries()) {
    const document = problem && ofItem(problem as ProblemDocument, resendNames)
    if (document) errors.push({ index: places[at]?.index ?? 0, message: messageOf(document) })
    else data.push({ id })
  }
  return { data, errors: errors.toSorted((a, b) => a.index - b.index) }
}

type Email = Api["GET /v1/emails/{emailId}"]["answer"]

/** Its words for our statuses; the others are the same. */
const events: Record<string, string> = { cancelled: "canceled", sending: "queued", rejected: "failed", test: "sent" }

function headOf(email: Email): ResendAnswer {
  const { id, from, to, cc = null, bcc = null, replyTo, subject, status, messageId = null } = email
  return {
    ...{ id, from, to, cc, bcc, subject, message_id: messageId },
    reply_to: replyTo === undefined ? null : [replyTo],
    created_at: email.createdAt,
    scheduled_at: email.scheduledAt ?? null,
    last_event: events[status] ?? status,
    topic_id: email.topicId ?? null,
    tags: Object.entries(email.tags ?? {}).map(([name, value]) => ({ name, value })),
  }
}

const resendGetEmail = endpoint({
  ...like(getEmail),
  route: "GET /resend/emails/{emailId}",
  operationId: "resendGetEmail",
  summary: "Get an email",
  answers: [200, ResendAnswer],

  async run(scope, { path }, io) {
    const email = await call(scope, getEmail, { path }, io)
    return { object: "email", ...headOf(email), html: email.html ?? null, text: email.text ?? null }
  },
})

const resendListEmails = endpoint({
  ...like(listEmails, getEmail),
  route: "GET /resend/emails",
  operationId: "resendListEmails",
  summary: "List emails",
  strictQuery: true,
  query: listQuery,
  answers: [200, ResendAnswer],

  async run(scope, { query }, io) {
    // The list begins where the email was sent, so that it need not be looked for.
    const from = query.after === undefined ? null : await call(scope, getEmail, { path: { emailId: query.after } }, io)
    const before = from && new Date(Date.parse(from.createdAt) + 1).toISOString()
    const read = (page: object) => call(scope, listEmails, { query: before === null ? page : { ...page, before } }, io)
    return listed(query, read, headOf)
  },
})

const resendReschedule = endpoint({
  ...like(rescheduleEmail),
  route: "PATCH /resend/emails/{emailId}",
  operationId: "resendReschedule",
  summary: "Reschedule an email",
  body: z.strictObject({ scheduled_at: z.string() }),
  answers: [200, ResendAnswer],

  async run(scope, { path, body }, io) {
    const { id } = await call(
      scope,
      rescheduleEmail,
      { path, body: { scheduledAt: body.scheduled_at }, names: resendNames },
      io,
    )
    return { object: "email", id }
  },
})

const resendCancelEmail = endpoint({
  ...like(cancelEmail),
  route: "POST /resend/emails/{emailId}/cancel",
  operationId: "resendCancelEmail",
  summary: "Cancel an email",
  answers: [200, ResendAnswer],

  async run(scope, { path }, io) {
    await call(scope, cancelEmail, { path }, io)
    return { object: "email", id: path.emailId }
  },
})

export const resendEmails = [
  ...[resendSend, resendSendBatch, resendGetEmail, resendListEmails, resendReschedule, resendCancelEmail],
] as const
