import { z } from "zod"
import { CursorInfo } from "@/lib/platform/http/paging"
import { problem } from "@/lib/platform/http/problem"
import { id, int32, timestamp } from "@/lib/platform/schema"

export const receivedMissing = problem(
  "received_email.not_found",
  404,
  "Received email not found",
  "The project has received no such email, or its time to be kept has ended.",
)

export const receivedAttachmentMissing = problem(
  "received_attachment.not_found",
  404,
  "Attachment not found",
  "The email has no attachment with this number.",
)

const verdict = (of: string) =>
  z.string().optional().describe(`What ${of} made of it when it arrived, in a result of RFC 8601 such as \`pass\`.`)

const summary = {
  id: id("inb"),
  routeId: id("inr").optional().describe("By which it came; the route may be deleted by now."),
  to: z.string().describe("The address that it came to, in lower case."),
  from: z.string().describe("The address in its From field, else the return path; empty for bounces without one."),
  fromName: z.string().optional(),
  subject: z.string().optional(),
  plus: z.string().optional().describe("What follows the plus in the address it came to."),
  inReplyTo: id("email").optional().describe("The project's email that it answers, by In-Reply-To and References."),
  spf: verdict("SPF"),
  dkim: verdict("DKIM"),
  dmarc: verdict("DMARC"),
  autoSubmitted: z
    .boolean()
    .optional()
    .describe("Written by a program, such as an out-of-office notice (RFC 3834). Absent until it has been read."),
  attachmentCount: int32.optional().describe("Absent until it has been read."),
  size: int32.describe("Octets of the message."),
  receivedAt: timestamp,
}

export const ReceivedEmail = z.strictObject(summary).meta({ id: "ReceivedEmail" })
export type ReceivedEmail = z.output<typeof ReceivedEmail>

export const ReceivedEmailPage = z
  .strictObject({ cursor: CursorInfo, data: z.array(ReceivedEmail) })
  .meta({ id: "ReceivedEmailPage" })

const ReceivedAttachment = z
  .strictObject({
    number: int32.describe("From 1, as in the path."),
    filename: z.string().optional().describe("As its sender wrote it."),
    contentType: z.string().describe("As its sender declares it."),
    size: int32.describe("Octets."),
  })
  .meta({ id: "ReceivedAttachment" })

export const ReceivedEmailDetail = z
  .strictObject({
    ...summary,
    messageId: z.string().optional(),
    replyTo: z.string().optional().describe("Where an answer goes: Reply-To, else From."),
    text: z.string().describe("The text of the message, HTML without its tags; at most 256 KiB."),
    replyText: z.string().describe("The text without the message that it quotes."),
    textCut: z.boolean().describe("Whether the text is longer than what is given here."),
    headers: z.array(z.strictObject({ name: z.string(), value: z.string() })).describe("At most 1,000."),
    attachments: z.array(ReceivedAttachment).describe("At most 200."),
    returnPath: z.string().describe("MAIL FROM of the envelope, empty for bounces."),
    client: z.string().describe("IP address of the server that handed it over."),
    helo: z.string().describe("What that server called itself."),
    tls: z.string().optional().describe("TLS protocol; absent on a plain connection."),
    keepUntil: timestamp.optional(),
    deliveries: z
      .array(
        z.strictObject({
          id: id("whd"),
          webhookId: id("whk"),
          status: z.string(),
          attemptCount: int32,
          lastError: z.string().optional(),
          createdAt: timestamp,
        }),
      )
      .describe("Of its `email.received` events to webhooks, newest first, at most 20."),
  })
  .meta({ id: "ReceivedEmailDetail" })
export type ReceivedEmailDetail = z.output<typeof ReceivedEmailDetail>
