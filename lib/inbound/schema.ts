import { z } from "zod"
import { addressTextMax, parsePlainAddress } from "@/lib/addresses/address"
import { ownFaultCodes } from "@/lib/delivery/transports/attempt"
import { loopTestCodes, reportsCodes } from "@/lib/delivery/regions/region-rules"
import { pageOf } from "@/lib/platform/http/paging"
import { id, int32, timestamp } from "@/lib/platform/schema"
import { regionNames } from "@/lib/regions/regions"

export const operatorReasons = ["written", "unmatched", "unreadable", "answer", "given_up"] as const

const summary = {
  id: id("inb"),
  to: z.string().describe("Our address that it came to."),
  from: z.string().describe("The address in its From field; the return path where it has none, empty for bounces."),
  subject: z.string().optional(),
  size: int32.describe("Octets."),
  receivedAt: timestamp,
}

const recipientShape = z
  .strictObject({
    address: z.string().optional().describe("Whom the report names."),
    action: z.string().describe("`failed`, `delayed`, `delivered`, `relayed` or `expanded` (RFC 3464)."),
    status: z.string().optional().describe("The enhanced status code that the report gives (RFC 3463)."),
    replyCode: int32.optional().describe("Of the SMTP reply that the last server in the chain gave."),
    replyStatus: z.string().optional().describe("The enhanced status code of that reply, which is believed first."),
    reply: z.string().optional().describe("The words of that reply, else of the report."),
  })
  .meta({ id: "ReturnedRecipient" })

export const ReturnedMailItem = z
  .strictObject({
    id: id("inb"),
    recipient: z.string().optional().describe("The recipient whose delivery it is about."),
    receivedAt: timestamp,
    from: z.string().describe("The address in its From field; the return path where it has none, empty for bounces."),
    subject: z.string().optional(),
    size: int32.describe("Octets."),
    kind: z
      .string()
      .optional()
      .describe(
        "What it was read as: `delivery_status`, `feedback`, `unsubscribe`, `report`, `automatic_answer`, `personal` or `unreadable`. Absent until it has been read.",
      ),
    outcome: z
      .string()
      .optional()
      .describe(
        "What it did: `bounced`, `delivered`, `delayed`, `complained`, `unsubscribed`, `noted` (a timeline entry alone) or `repeated` (it says what was known). Absent until it has been read.",
      ),
    matchedBy: z
      .string()
      .optional()
      .describe(
        "How the delivery was found: `verp` (the return path), `ref` (X-Mailroom-Ref), `unsubscribe_token` or `recipient`.",
      ),
    reportingServer: z.string().optional(),
    feedbackType: z.string().optional().describe("Of a feedback report (RFC 5965)."),
    recipients: z.array(recipientShape).describe("What the report says of each recipient it names; at most 20."),
  })
  .meta({ id: "ReturnedMail" })
export type ReturnedMailItem = z.output<typeof ReturnedMailItem>

export const ReturnedMailList = z.strictObject({ data: z.array(ReturnedMailItem) }).meta({ id: "ReturnedMailList" })

const operatorSummary = {
  ...summary,
  reason: z
    .enum(operatorReasons)
    .describe(
      "`written`: to an address of the service. `unmatched`: a report that leads to no email. `unreadable`: it came back for an email and says neither what nor why. `answer`: a person wrote to the return path of an email. `given_up`: it could not be worked on.",
    ),
  projectId: id("proj").optional().describe("Of the email that it came back for."),
  emailId: id("email").optional(),
}

export const OperatorMail = z.strictObject(operatorSummary).meta({ id: "OperatorMail" })
export type OperatorMail = z.output<typeof OperatorMail>

export const OperatorMailPage = pageOf(OperatorMail)

export const OperatorMailDetail = z
  .strictObject({
    ...operatorSummary,
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

const loopTestShape = z
  .strictObject({
    startedAt: timestamp,
    code: z
      .enum(loopTestCodes)
      .optional()
      .describe(
        "`passed`: the mail came to the listener. `not_accepted`: the relay did not take it. `returned`: a server on the way returned it. `lost`: it did not come within 10 minutes. Absent while it is under way.",
      ),
    diagnostic: z.string().optional().describe("What the server that stopped it replied."),
    sentAt: timestamp.optional().describe("When the relay took it."),
    returnedAt: timestamp.optional().describe("When the listener did."),
    returnedFrom: z.string().optional().describe("The IP address that it came from there."),
    returnedTls: z.string().optional().describe("The TLS protocol there; absent on a plain connection."),
    endedAt: timestamp.optional(),
    relay: z.string().describe("Through which it went."),
  })
  .meta({ id: "LoopTest" })

export const OperatorRegion = z
  .strictObject({
    region: z.string(),
    relay: z.string().describe("Host and port of the next hop, or `sandbox`."),
    delivered: z.enum(["accept", "dsn", "events", "never"]).describe("As SMTP_URL sets it."),
    reports: z.enum(reportsCodes).optional().describe("What `delivered=dsn` comes to; absent with another setting."),
    proved: z.boolean().describe("The latest loop test that ended has passed, through this relay."),
    loopTest: loopTestShape.optional().describe("The latest one; absent if there was none."),
    outage: z
      .strictObject({ since: timestamp, fault: z.enum(ownFaultCodes).optional(), message: z.string() })
      .optional()
      .describe("Why no email leaves the region now, and what to do about it."),
  })
  .meta({ id: "OperatorRegion" })
export type OperatorRegion = z.output<typeof OperatorRegion>

export const OperatorRegionList = z.strictObject({ data: z.array(OperatorRegion) }).meta({ id: "OperatorRegionList" })

export const NewLoopTest = z.strictObject({ region: z.enum(regionNames) }).meta({ id: "NewLoopTest" })

const testRecipient = z
  .string()
  .transform((text, context) => {
    const parsed = parsePlainAddress(text)
    if (parsed.ok) return parsed.address
    context.addIssue({ code: "custom", message: parsed.reason })
    return z.NEVER
  })
  .meta({ format: "email", maxLength: addressTextMax })

export const NewRelayTest = z
  .strictObject({
    region: z.enum(regionNames),
    to: testRecipient.describe("Whom the email is sent to, such as yourself."),
  })
  .meta({ id: "NewRelayTest" })

export const RelayTest = z
  .strictObject({
    region: z.string(),
    relay: z.string().describe("Host and port of the next hop, or `sandbox`."),
    from: z.string().describe("The sender, of the envelope too."),
    to: z.string(),
    outcome: z
      .enum(["accepted", "refused", "deferred", "region_fault", "ambiguous"])
      .describe(
        "`accepted`: the relay took the email. `refused`: it refused this email for good. `deferred`: not now. `region_fault`: no connection, or it refused the session, such as the user name. `ambiguous`: its last reply did not come.",
      ),
    phase: z
      .string()
      .optional()
      .describe(
        "The step it ended at: `connect`, `greeting`, `ehlo`, `starttls`, `auth`, `mail`, `rcpt`, `data` or `final`.",
      ),
    code: int32.optional().describe("The SMTP reply code, where a reply decided."),
    enhanced: z.string().optional().describe("Its enhanced status code (RFC 3463)."),
    text: z.string().describe("The reply, else the error of the connection."),
    remote: z.string().describe("Host and port that was connected to."),
    tls: z.string().optional().describe("TLS protocol; absent on a plain connection."),
    tlsLevel: z.string().optional().describe("As of a delivery attempt."),
    tlsPolicy: z.string().optional().describe("As of a delivery attempt."),
    conversation: z.array(z.string()).describe("`C: …` and `S: …`, without message data and credentials."),
    startedAt: timestamp,
    endedAt: timestamp,
  })
  .meta({ id: "RelayTest" })
