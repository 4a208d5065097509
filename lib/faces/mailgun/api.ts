import { batchSendEmails, sendBytesMax, sendEmail } from "@/lib/emails/send/api"
import { listEmails } from "@/lib/emails/log/api"
import { call, like } from "@/lib/faces/call"
import { type Face, messageOf, type FaceRefusal } from "@/lib/faces/face"
import { formAsJson } from "@/lib/faces/mailgun/form"
import { eventsQuery, MailgunAccepted, MailgunEvents, MailgunMessage } from "@/lib/faces/mailgun/schema"
import { mailgunNames as names, toOf, fromMailgun } from "@/lib/faces/mailgun/to-send"
import { eventsPage } from "@/lib/faces/mailgun/events"
import { sendEach } from "@/lib/faces/send-each"
import { endpoint } from "@/lib/platform/http/endpoint"
import type { ProblemDocument } from "@/lib/platform/http/problem"
import { fieldsInvalid } from "@/lib/platform/http/problems"
import { listRecentEvents } from "@/lib/stream/api"

/** With `recipient-variables`, as Mailgun has it. */
const recipientsMax = 1_000

export const mailgunSend = endpoint({
  ...like(sendEmail, batchSendEmails),
  route: "POST /mailgun/v3/{domain}/messages",
  operationId: "mailgunSend",
  summary: "Send an email",
  body: MailgunMessage,
  answers: [200, MailgunAccepted],

  async run(scope, { body }, io) {
    const to = toOf(body)
    const message = "Queued. Thank you."
    if (body["recipient-variables"] === undefined) {
      const { id, messageId } = await call(scope, sendEmail, { body: fromMailgun(body, to), names }, io)
      return { id: messageId ?? `<${id}>`, message }
    }
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

export const mailgunEvents = endpoint({
  ...like(listRecentEvents, listEmails),
  route: "GET /mailgun/v3/{domain}/events",
  operationId: "mailgunEvents",
  summary: "List events",
  strictQuery: true,
  query: eventsQuery,
  answers: [200, MailgunEvents],
  run: (scope, { path, query }, io) => eventsPage(scope, path.domain, query, io),
})

export const mailgunEventsPage = endpoint({
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
  readBody: (asked, bytesMax) => formAsJson(asked, Math.min(bytesMax, formBytesMax)),
}
