import { batchSendEmails, sendEmail } from "@/lib/emails/send/api"
import { call, like, sendEach, bearerKey, type Face, faultText, type FaceRefusal } from "@/lib/faces/face"
import { SendGridMail, sendGridNames as names, fromSendGrid } from "@/lib/faces/sendgrid/schema"
import { endpoint, Reply } from "@/lib/platform/http/endpoint"
import type { ProblemDocument } from "@/lib/platform/http/problem"

export const sendGridSend = endpoint({
  ...like(sendEmail, batchSendEmails),
  route: "POST /sendgrid/v3/mail/send",
  operationId: "sendGridSend",
  summary: "Send an email for each personalization",
  body: SendGridMail,
  answers: [202],

  async run(scope, { body }, io) {
    const count = body.personalizations.length
    const now = io.clock.now()
    const sendOne = () => call(scope, sendEmail, { body: fromSendGrid(body, 0, now), names: names(0) }, io)
    const [id = ""] =
      count === 1
        ? [(await sendOne()).id]
        : await sendEach(scope, count, (at) => fromSendGrid(body, at, now), names, io)
    return new Reply(202, { headers: { "X-Message-Id": id } })
  },
})

function refusalOf(problem: ProblemDocument): FaceRefusal {
  const { status, errors, detail = "", code } = problem
  const faults = errors?.map((fault) => ({
    message: faultText(fault),
    field: fault.pointer.slice(1).replaceAll("/", ".") || null,
    help: code,
  }))
  const sentences = faults && detail.includes("were accepted") ? [{ message: detail, field: null, help: code }] : []
  return {
    status,
    body: { errors: faults ? [...faults, ...sentences] : [{ message: detail, field: null, help: code }] },
  }
}

export const sendgrid: Face = { name: "sendgrid", operations: [sendGridSend], keyOf: bearerKey, refusalOf }
