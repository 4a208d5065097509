import { z } from "zod"
import { Delivery, TimelineItem } from "@/lib/emails/schema"
import { emailStatuses } from "@/lib/emails/message-rules"
import { pages, severities } from "@/lib/explanation/facts"
import { id, timestamp } from "@/lib/platform/schema"
import { WebhookDelivery } from "@/lib/webhooks/schema"

const explained = {
  severity: z
    .enum(severities)
    .describe(
      "`none`: it arrived or is about to be sent. `info`: it waits or was excluded as intended. `warning`, `critical`: action may be needed.",
    ),
  cause: z.string().describe("Why the email has its status, in one sentence."),
  fix: z.string().describe("What to do, in one sentence."),
  page: z.enum(pages).optional().describe("The dashboard page where you can fix it."),
}

const SandboxCopy = z
  .strictObject({ id: id("msg"), dkim: z.string(), spf: z.string(), dmarc: z.string() })
  .meta({ id: "SandboxCopy" })

const Decision = z
  .strictObject({
    at: timestamp,
    decision: z.enum(["accepted", "suppressed", "cancelled", "test"]),
    reason: z
      .string()
      .optional()
      .describe(
        "For `suppressed`: the reason on the suppression list, `topic_opt_out`, `topic_deleted` or `simulator`.",
      ),
    sentence: z.string(),
  })
  .meta({ id: "ExplanationDecision" })

export type ExplanationDecision = z.output<typeof Decision>

const ExplainedRecipient = z
  .strictObject({
    ...Delivery.shape,
    ...explained,
    evidence: z
      .string()
      .optional()
      .describe(
        "What the server said in the last attempt, or our own error; of one that a recipient's own server accepted, how it was handed over.",
      ),
    sandboxCopy: SandboxCopy.optional().describe("What the sandbox received, and its verdicts."),
    decisions: z.array(Decision).describe("The decisions about this recipient, oldest first."),
  })
  .meta({ id: "ExplainedRecipient" })

export type ExplainedRecipient = z.output<typeof ExplainedRecipient>

export const Explanation = z
  .strictObject({
    emailId: id("email"),
    status: z.enum(emailStatuses),
    ...explained,
    acceptedWith: z
      .strictObject({ keyId: id("key"), name: z.string().optional() })
      .meta({ id: "AcceptingKey" })
      .optional()
      .describe("The API key of the request; absent if a user or a broadcast sent the email."),
    signedAt: timestamp.optional().describe("When the message was composed and signed, before its first attempt."),
    recipients: z
      .array(ExplainedRecipient)
      .describe("With their newest 100 attempts and the SMTP session of each; at most 1,000."),
    events: z.array(TimelineItem).describe("Oldest first, at most 1,000."),
    webhookDeliveries: z
      .array(WebhookDelivery)
      .optional()
      .describe("Deliveries of the newest 200 events to webhooks, at most 500; absent without `webhooks:read`."),
  })
  .meta({ id: "EmailExplanation" })

export type Explanation = z.output<typeof Explanation>
