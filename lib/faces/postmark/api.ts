import { z } from "zod"
import { batchSendEmails, sendEmail } from "@/lib/emails/send/api"
import { call, like, ofItem, type Face, messageOf, type FaceRefusal, type FaceSend } from "@/lib/faces/face"
import {
  PostmarkEmail,
  postmarkNames as names,
  PostmarkResult,
  PostmarkTemplateEmail,
  fromPostmark,
} from "@/lib/faces/postmark/schema"
import { endpoint, Reply } from "@/lib/platform/http/endpoint"
import { parseBody } from "@/lib/platform/http/perform"
import { Problem, type ProblemDocument, problemDocument } from "@/lib/platform/http/problem"
import type { Scope } from "@/lib/platform/http/scope"
import type { Io } from "@/lib/platform/io"
import { createTurns } from "@/lib/platform/jobs/turns"

type Email = z.output<typeof PostmarkEmail> | z.output<typeof PostmarkTemplateEmail>

const sending = { ...like(sendEmail), answers: [200, PostmarkResult] } as const

export const postmarkSend = endpoint({
  ...sending,
  route: "POST /postmark/email",
  operationId: "postmarkSend",
  summary: "Send an email",
  body: PostmarkEmail,
  run: (scope, { body }, io) => sendOne(scope, body, io),
})

export const postmarkSendTemplate = endpoint({
  ...sending,
  route: "POST /postmark/email/withTemplate",
  operationId: "postmarkSendTemplate",
  summary: "Send an email from a template",
  body: PostmarkTemplateEmail,
  run: (scope, { body }, io) => sendOne(scope, body, io),
})

async function sendOne(scope: Scope, email: Email, io: Io): Promise<PostmarkResult | Reply> {
  const { id, status, createdAt } = await call(scope, sendEmail, { body: fromPostmark(email), names }, io)
  return status === "suppressed" ? new Reply(422, { value: inactive(email) }) : resultOf(email, id, createdAt)
}

/** Its SDK finds the addresses in this sentence. */
function inactive({ To: to = "" }: Email): PostmarkResult {
  const sentence = `You tried to send to recipients that are on the suppression list. Found inactive addresses: ${to}. Inactive recipients get nothing until they are taken off it.`
  return { ErrorCode: 406, Message: sentence }
}

function resultOf(email: Email, id: string, at: string): PostmarkResult {
  const { To, Cc, Bcc } = email
  return { To, Cc, Bcc, SubmittedAt: at, MessageID: id, ErrorCode: 0, Message: "OK" }
}

/** Each is read by its own schema, and one that is refused does not keep the others. */
const Items = z.array(z.unknown()).min(1, "Must hold an email.").max(100, "May hold 100 emails.")
const Results = z.array(PostmarkResult)

export const postmarkSendBatch = endpoint({
  ...like(batchSendEmails),
  route: "POST /postmark/email/batch",
  operationId: "postmarkSendBatch",
  summary: "Send a batch of emails",
  body: Items,
  checksItemsOf: "",
  answers: [200, Results],
  run: (scope, { body }, io) => sendAll(scope, body, PostmarkEmail, io),
})

export const postmarkSendTemplateBatch = endpoint({
  ...like(batchSendEmails),
  route: "POST /postmark/email/batchWithTemplates",
  operationId: "postmarkSendTemplateBatch",
  summary: "Send a batch of emails from templates",
  body: z.strictObject({ Messages: Items }),
  checksItemsOf: "Messages",
  answers: [200, Results],
  run: (scope, { body }, io) => sendAll(scope, body.Messages, PostmarkTemplateEmail, io),
})

async function sendAll(
  scope: Scope,
  items: readonly unknown[],
  schema: typeof PostmarkEmail | typeof PostmarkTemplateEmail,
  io: Io,
): Promise<PostmarkResult[]> {
  const turn = createTurns()
  const read: Item[] = []
  for (const item of items) {
    read.push(readItem(schema, item))
    await turn()
  }
  const sends = read.flatMap(({ send }) => send ?? [])
  if (sends.length === 0) return read.flatMap(({ refused }) => refused ?? [])
  const { results } = await call(scope, batchSendEmails, { body: { items: sends } }, io)
  const left = results.values()
  return read.map(({ email, refused }) => {
    if (!email) return refused
    const { problem, status, id = "", createdAt = "" } = left.next().value ?? {}
    if (problem) return refusedItem(problem as ProblemDocument)
    return status === "suppressed" ? inactive(email) : resultOf(email, id, createdAt)
  })
}

type Item = { email: Email; send: FaceSend; refused?: never } | { email?: never; send?: never; refused: PostmarkResult }

function readItem(schema: typeof PostmarkEmail | typeof PostmarkTemplateEmail, item: unknown): Item {
  try {
    const email = parseBody<z.ZodType<Email>>(schema, item)
    return { email, send: fromPostmark(email) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { refused: refusedItem(problemDocument(error, { baseUrl: "", requestId: "" })) }
  }
}

function refusedItem(problem: ProblemDocument): PostmarkResult {
  return refusalOf(ofItem(problem, names)).body as PostmarkResult
}

/** Postmark's codes by ours; what is not listed is an invalid email. */
const errorCodes: Record<string, number> = {
  "auth.missing_credentials": 10,
  "auth.invalid_credentials": 10,
  "auth.permission_missing": 10,
  "auth.address_not_allowed": 10,
  "auth.sender_not_allowed": 400,
  "email.from_domain_not_verified": 400,
  "quota.daily_exceeded": 405,
  "quota.send_rate_exceeded": 429,
  "rate_limit.exceeded": 429,
}

/** Its statuses: what is wrong with an email is 422, who may not send it 401. */
const statuses: Record<number, number> = { 400: 422, 403: 401, 409: 422, 413: 413 }

function refusalOf(problem: ProblemDocument): FaceRefusal {
  const { status, code } = problem
  const body = { ErrorCode: errorCodes[code] ?? (status < 500 ? 300 : status), Message: messageOf(problem) }
  return { status: statuses[status] ?? status, body }
}

export const postmark: Face = {
  name: "postmark",
  operations: [postmarkSend, postmarkSendBatch, postmarkSendTemplate, postmarkSendTemplateBatch],
  keyOf: (headers) => headers.get("x-postmark-server-token"),
  refusalOf,
}
