import { z } from "zod"
import { parseAddress } from "@/lib/addresses/address"
import { emailStatuses, labelKeyCharsMax, labelValueCharsMax } from "@/lib/emails/message-rules"
import type { EmailFilter } from "@/lib/emails/log-conditions"
import { id, timestamp } from "@/lib/platform/schema"

const text = (max = 320) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[^\0]*$/, "Holds no NUL character.")
    .optional()

/** The query parameters that choose among the emails of a project. */
export function emailFilterQuery() {
  return {
    status: z.enum(emailStatuses).optional(),
    recipient: text().describe("Exact address among to, cc and bcc."),
    from: text().describe("Part of the sender."),
    subject: text().describe("Part of the subject."),
    domainId: id("dom").optional().describe("Sending domain."),
    topicId: id("top").optional().describe("Topic."),
    tag: text(labelKeyCharsMax + 1 + labelValueCharsMax).describe(
      "A tag's name, or its name and value as `name:value`.",
    ),
    after: timestamp.optional().describe("Sent at or after."),
    before: timestamp.optional().describe("Sent before."),
  }
}

/** The filter of these parameters; a recipient that is not an address matches nothing. */
export function filterOf(query: EmailFilter): EmailFilter {
  const { status, from, subject, domainId, topicId, tag, after, before, recipient } = query
  const address = recipient === undefined ? undefined : parseAddress(recipient)
  return {
    status,
    from,
    subject,
    domainId,
    topicId,
    tag,
    after,
    before,
    recipient: address && (address.ok ? address.canonical : ""),
  }
}
