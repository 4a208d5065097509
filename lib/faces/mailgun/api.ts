import { batchSendEmails, sendBytesMax, sendEmail } from "@/lib/emails/send/api"
import { listEmails } from "@/lib/emails/log/api"
import { call, like, sendEach, type Face, messageOf, type FaceRefusal, given } from "@/lib/faces/face"
import {
  formAsJson,
  eventsQuery,
  MailgunAccepted,
  MailgunEvents,
  MailgunMessage,
  eventNames,
  mailgunNames as names,
  recipientsMax,
  distinctTo,
  toOf,
  fromMailgun,
} from "@/lib/faces/mailgun/schema"
import { endpoint } from "@/lib/platform/http/endpoint"
import type { ProblemDocument } from "@/lib/platform/http/problem"
import { fieldsInvalid } from "@/lib/platform/http/problems"
import { listRecentEvents } from "@/lib/stream/api"
import { z } from "zod"
import type { Api } from "@/lib/api/registry"
import { parseAddress } from "@/lib/addresses/address"
import { env } from "@/lib/platform/env/env"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId, firstIdAt } from "@/lib/platform/ids"
import type { Io } from "@/lib/platform/io"
import { hourMs } from "@/lib/platform/time"

const mailgunSend = endpoint({
  ...like(sendEmail, batchSendEmails),
  route: "POST /mailgun/v3/{domain}/messages",
  operationId: "mailgunSend",
  summary: "Send an email",
  body: MailgunMessage,
  answers: [200, MailgunAccepted],

  async run(scope, { body }, io) {
    const message = "Queued. Thank you."
    if (body["recipient-variables"] === undefined) {
      const { id, messageId } = await call(scope, sendEmail, { body: fromMailgun(body, toOf(body)), names }, io)
      return { id: messageId ?? `<${id}>`, message }
    }
    const to = distinctTo(body)
    if (to.length > recipientsMax)
      throw fieldsInvalid([{ pointer: "/to", detail: `May name ${recipientsMax} recipients.` }])
    if (body.cc || body.bcc)
      throw fieldsInvalid([{ pointer: body.cc ? "/cc" : "/bcc", detail: "Not together with recipient-variables." }])
    const [first] = await sendEach(
      scope,
      to.length,
      (index) => fromMailgun(body, to.slice(index, index + 1)),
      () => names,
      io,
    )
    return { id: `<${first}>`, message }
  },
})

const mailgunEvents = endpoint({
  ...like(listRecentEvents, listEmails),
  route: "GET /mailgun/v3/{domain}/events",
  operationId: "mailgunEvents",
  summary: "List events",
  strictQuery: true,
  query: eventsQuery,
  answers: [200, MailgunEvents],
  run: (scope, { path, query }, io) => eventsPage(scope, path.domain, query, io),
})

const mailgunEventsPage = endpoint({
  ...like(listRecentEvents, listEmails),
  route: "GET /mailgun/v3/{domain}/events/{page}",
  operationId: "mailgunEventsPage",
  summary: "List the next events",
  strictQuery: true,
  query: eventsQuery,
  answers: [200, MailgunEvents],
  run: (scope, { path: { domain, page }, query }, io) => eventsPage(scope, domain, { ...query, page }, io),
})

function refusalOf(problem: ProblemDocument): FaceRefusal {
  return { status: problem.status === 422 ? 400 : problem.status, body: { message: messageOf(problem) } }
}

/** The password of the user `api`. */
function keyOf(headers: { get(name: string): string | null }): string | null {
  const basic = /^basic +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1]
  return basic === undefined ? null : (/^api:(.+)$/s.exec(Buffer.from(basic, "base64").toString())?.[1] ?? "")
}

/** A body in base64 within JSON takes four thirds of the room. */
const formBytesMax = Math.floor(sendBytesMax * 0.7)

export const mailgun: Face = {
  name: "mailgun",
  operations: [mailgunSend, mailgunEvents, mailgunEventsPage],
  keyOf,
  refusalOf,
  readBody: (asked, bytesMax, receiving) => formAsJson(asked, Math.min(bytesMax, formBytesMax), receiving),
}

/** What a page asks for, which the link to the next one carries. */
const Asked = z
  .object(eventsQuery)
  .omit({ page: true })
  .extend({ after: z.string().max(64) })
type Asked = z.output<typeof Asked>
type EventsQuery = { [K in keyof typeof eventsQuery]?: string | undefined }

type Event = Api["GET /v1/projects/{projectId}/events"]["answer"]["data"][number]
type Item = Record<string, unknown>
type Email = Api["GET /v1/projects/{projectId}/emails"]["answer"]["data"][number]

/** An empty page means the end, so what does not match is passed over: at most so many groups of events. */
const groupsMax = 100

/** The next events that match, oldest first. */
async function eventsPage(scope: Scope, domain: string, query: EventsQuery, io: Io) {
  const asked = query.page === undefined ? firstOf(query, io.clock.now()) : readPage(query.page)
  const size = Math.min(50, Math.max(1, Number(asked.limit ?? 50)))
  let { after } = asked
  let items: Item[] = []
  for (let group = 0; group < groupsMax && items.length === 0; group++) {
    const { data } = await call(scope, listRecentEvents, { query: { after, size: String(size) } }, io)
    after = data.at(-1)?.id ?? after
    items = await itemsOf(scope, data, asked, io)
    if (data.length < size) break
  }
  const url = (page: Asked) =>
    new URL(`/mailgun/v3/${encodeURIComponent(domain)}/events/${writePage(page)}`, env().baseUrl).href
  const next = url({ ...asked, after })
  return { items, paging: { first: url(asked), previous: url(asked), next, last: next } }
}

function firstOf({ page: _page, ...query }: EventsQuery, now: Date): Asked {
  const begin = query.begin === undefined ? now.getTime() - hourMs : Number(query.begin) * 1000
  return { ...(query as Omit<Asked, "after">), after: encodeId("evt", firstIdAt(new Date(begin))) }
}

function writePage(asked: Asked): string {
  return Buffer.from(JSON.stringify(given(asked))).toString("base64url")
}

function readPage(page: string): Asked {
  try {
    return Asked.parse(JSON.parse(Buffer.from(page, "base64url").toString()))
  } catch {
    throw fieldsInvalid([{ pointer: "query/page", detail: "Must be from paging, unchanged." }])
  }
}

async function itemsOf(scope: Scope, events: readonly Event[], asked: Asked, io: Io): Promise<Item[]> {
  const names = asked.event?.split(/\s/).filter((word) => word !== "" && word.toUpperCase() !== "OR")
  const end = asked.end === undefined ? Number.POSITIVE_INFINITY : Number(asked.end) * 1000
  const wanted = events.filter(
    ({ type, occurredAt }) => (names?.includes(eventNames[type] ?? "") ?? true) && Date.parse(occurredAt) <= end,
  )
  if (wanted.length === 0) return []
  const ids = [...new Set(wanted.map(({ emailId }) => emailId))]
  const { data } = await call(scope, listEmails, { query: { ids: ids.join(","), size: String(ids.length) } }, io)
  const emails = new Map(data.map((email) => [email.id, email]))
  return wanted.flatMap((event) => {
    const email = emails.get(event.emailId)
    return email && isOf(email, asked) ? [itemOf(event, email)] : []
  })
}

function isOf(email: Email, { tags, recipient }: Asked): boolean {
  if (tags !== undefined && !Object.hasOwn(email.tags ?? {}, tags)) return false
  return recipient === undefined || email.to.some((to) => addressOf(to) === addressOf(recipient))
}

function addressOf(text: string): string {
  const parsed = parseAddress(text)
  return parsed.ok ? parsed.canonical : text
}

function itemOf({ id, type, occurredAt, data }: Event, email: Email): Item {
  const { to, from, subject, messageId = "", tags = {}, metadata = {} } = email
  return given({
    ...{
      id,
      event: eventNames[type],
      timestamp: Date.parse(occurredAt) / 1000,
      recipient: data.to ?? addressOf(to[0] ?? ""),
    },
    ...{ tags: Object.keys(tags), "user-variables": metadata },
    message: { headers: { to: to.join(", "), from, subject, "message-id": messageId.replace(/^<|>$/g, "") } },
    severity: type === "bounced" ? "permanent" : undefined,
    "delivery-status": type === "bounced" ? statusOf(data) : undefined,
    url: data.url,
    ip: data.ip,
  })
}

/** The response of the server that refused the email. */
function statusOf(data: Record<string, string>) {
  const { code, enhanced, text, reason = "" } = data
  return { code: Number(code ?? 550), "enhanced-code": enhanced ?? "", message: text ?? reason, description: reason }
}
