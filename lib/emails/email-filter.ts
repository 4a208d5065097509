import { z } from "zod"
import { parseAddress } from "@/lib/domains/address"
import { emailStatuses } from "@/lib/emails/message-rules"
import type { EmailFilter } from "@/lib/emails/store"
import { timestamp } from "@/lib/platform/schema"

const text = () => z.string().min(1).max(320).optional()

/** The query parameters that choose among the emails of a project. */
export function emailFilterQuery() {
  return {
    status: z.enum(emailStatuses).optional(),
    recipient: text().describe("Exact address among to, cc and bcc."),
    from: text().describe("Part of the sender."),
    subject: text().describe("Part of the subject."),
    after: timestamp.optional().describe("Sent at or after."),
    before: timestamp.optional().describe("Sent before."),
  }
}

/** The choice behind these parameters; a recipient that is no address finds nothing. */
export function filterOf({ status, recipient, from, subject, after, before }: EmailFilter): EmailFilter {
  const address = recipient === undefined ? undefined : parseAddress(recipient)
  return { status, from, subject, after, before, recipient: address && (address.ok ? address.canonical : "") }
}
