import { z } from "zod"
import { pageOf } from "@/lib/platform/http/paging"
import { id, int32, timestamp } from "@/lib/platform/schema"

const summary = {
  id: id("inb"),
  to: z.string().describe("Our address that it came to."),
  from: z.string().describe("The address in its From field; the return path where it has none, empty for bounces."),
  subject: z.string().optional(),
  size: int32.describe("Octets."),
  receivedAt: timestamp,
}

export const OperatorMail = z.strictObject(summary).meta({ id: "OperatorMail" })
export type OperatorMail = z.output<typeof OperatorMail>

export const OperatorMailPage = pageOf(OperatorMail)

export const OperatorMailDetail = z
  .strictObject({
    ...summary,
    returnPath: z.string().describe("MAIL FROM of the envelope, empty for bounces."),
    replyTo: z.string().optional().describe("Where an answer goes: Reply-To, else From."),
    client: z.string().describe("IP address of the server that handed it over."),
    helo: z.string().describe("What that server called itself."),
    tls: z.string().optional().describe("TLS protocol; absent on a plain connection."),
    text: z.string().describe("The first text of the message, HTML without its tags; at most 256 KiB."),
    headers: z.array(z.strictObject({ name: z.string(), value: z.string() })).describe("At most 1,000."),
    attachments: z.array(z.strictObject({ filename: z.string().optional(), contentType: z.string() })),
  })
  .meta({ id: "OperatorMailDetail" })
export type OperatorMailDetail = z.output<typeof OperatorMailDetail>
