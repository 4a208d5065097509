import { z } from "zod"
import { parseAddress } from "@/lib/addresses/address"
import { emailStatuses, labelKeyCharsMax, labelValueCharsMax, type EmailStatus } from "@/lib/emails/message-rules"
import type { EmailFilter } from "@/lib/emails/log-conditions-sql"
import { searchCharsMax } from "@/lib/emails/search/fold-rules"
import { idsLike } from "@/lib/emails/search/rules"
import { decodeId } from "@/lib/platform/ids"
import { id, timestamp } from "@/lib/platform/schema"

const text = (max = 320) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[^\0]*$/, "Holds no NUL character.")
    .optional()

const anyStatus = `(${emailStatuses.join("|")})`

/** One status or several, as a list of them within. */
const statuses = z
  .codec(
    z
      .string()
      .max(400)
      .regex(
        new RegExp(`^${anyStatus}(,${anyStatus})*$`),
        `One or several of ${emailStatuses.join(", ")}, separated by commas.`,
      ),
    z.array(z.enum(emailStatuses)),
    {
      decode: (text) => [...new Set(text.split(",") as EmailStatus[])],
      encode: (list) => list.join(","),
    },
  )
  .meta({
    type: "string",
    pattern: `^${anyStatus}(,${anyStatus})*$`,
    description: `One status, or several separated by commas: ${emailStatuses.map((status) => `\`${status}\``).join(", ")}.`,
  })

/** The query parameters that choose among the emails of a project. */
export function emailFilterQuery() {
  return {
    status: statuses.optional(),
    recipient: text().describe("Exact address among to, cc and bcc."),
    from: text().describe("Part of the sender."),
    subject: text().describe("Part of the subject."),
    domainId: id("dom").optional().describe("Sending domain."),
    topicId: id("top").optional().describe("Topic."),
    broadcastId: id("bc").optional().describe("Broadcast."),
    tag: text(labelKeyCharsMax + 1 + labelValueCharsMax).describe(
      "A tag's name, or its name and value as `name:value`.",
    ),
    after: timestamp.optional().describe("Sent at or after."),
    before: timestamp.optional().describe("Sent before."),
    ...emailSearchQuery(),
    ids: z
      .string()
      .max(33 * selectedMax)
      .regex(/^email_[0-9a-z]{26}(,email_[0-9a-z]{26})*$/, `Up to ${selectedMax} ids of emails, separated by commas.`)
      .optional()
      .describe(`Additive: up to ${selectedMax} ids of emails, separated by commas.`),
  }
}

/** Emails that can be named together. */
export const selectedMax = 100

/** The one field that looks for everything. */
export function emailSearchQuery() {
  return {
    search: z
      .string()
      .trim()
      .min(1)
      .max(searchCharsMax)
      .regex(/^[^\0]*$/, "Holds no NUL character.")
      .optional()
      .describe(
        "Additive: words that must each occur in the recipients, their names, the subject, the sender or a tag as `name:value`. Case and accents are ignored, and one character is enough. Or an email id, or the beginning of one, starting with `email_`. Only the first 4,000 characters of an email with very many recipients are searched.",
      ),
  }
}

/** The filter of these parameters; a recipient that is not an address matches nothing. */
export function filterOf(
  query: Omit<EmailFilter, "ids" | "statuses"> & { status?: string[] | undefined; ids?: string | undefined },
): EmailFilter {
  const {
    status: statuses,
    from,
    subject,
    domainId,
    topicId,
    broadcastId,
    tag,
    after,
    before,
    recipient,
    search,
    ids,
  } = query
  const address = recipient === undefined ? undefined : parseAddress(recipient)
  const between = search === undefined ? null : idsLike(search)
  return {
    statuses,
    from,
    subject,
    domainId,
    topicId,
    broadcastId,
    tag,
    after,
    before,
    recipient: address && (address.ok ? address.canonical : ""),
    ...(between ? { between } : { search }),
    ids: ids?.split(",").flatMap((each) => decodeId("email", each) ?? []),
  }
}
