import { z } from "zod"
import { pageOf } from "@/lib/platform/http/paging"
import { problem } from "@/lib/platform/http/problem"
import { id, int32, timestamp } from "@/lib/platform/schema"

const result = z.string().describe("pass, fail, softfail, neutral, none, temperror, permerror or policy.")

const summary = {
  id: id("msg"),
  emailId: id("email"),
  from: z.string().describe("The From header as a reader sees it."),
  to: z.string().describe("The recipient of the envelope."),
  subject: z.string().optional(),
  dkim: result,
  spf: result,
  dmarc: result,
  size: int32.describe("Octets."),
  receivedAt: timestamp,
}

export const SandboxMessage = z.strictObject(summary).meta({ id: "SandboxMessage" })
export type SandboxMessage = z.output<typeof SandboxMessage>

export const SandboxMessagePage = pageOf(SandboxMessage)

const info = z.string().optional().describe("The line of Authentication-Results (RFC 8601).")

export const Verdicts = z
  .strictObject({
    dkim: z.strictObject({ result, domain: z.string().optional(), selector: z.string().optional(), info }),
    spf: z.strictObject({ result, domain: z.string().optional(), info }),
    dmarc: z.strictObject({ result, domain: z.string().optional(), policy: z.string().optional(), info }),
  })
  .meta({ id: "SandboxVerdicts" })
export type Verdicts = z.output<typeof Verdicts>

export const SandboxMessageDetail = z
  .strictObject({
    ...summary,
    mailFrom: z.string().describe("The return path of the envelope."),
    html: z.string().optional().describe("Inline pictures (`cid:`) are embedded as data: URIs, up to 2 MiB."),
    text: z.string().optional(),
    headers: z.array(z.strictObject({ name: z.string(), value: z.string() })),
    attachments: z.array(z.strictObject({ filename: z.string(), contentType: z.string(), size: int32 })),
    verdicts: Verdicts,
    raw: z.string().describe("The message as it arrived (RFC 5322)."),
  })
  .meta({ id: "SandboxMessageDetail" })
export type SandboxMessageDetail = z.output<typeof SandboxMessageDetail>

export const sandboxMessageMissing = problem(
  "sandbox_message.not_found",
  404,
  "Sandbox message not found",
  "The project's sandbox mailbox has no such message. Messages are kept for 7 days, at most 1,000 per project.",
)
