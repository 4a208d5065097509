import { z } from "zod"
import { type Address, addressTextMax, parseAddress } from "@/lib/addresses/address"
import { entriesMax } from "@/lib/broadcasts/rules"
import { sendableHeaders, unsubscribeHeadersOf } from "@/lib/emails/header-rules"
import { mimePartsMax, mimePartCount, missingBody } from "@/lib/emails/message-rules"
import { Attachment, categories, NewEmail, subjectText } from "@/lib/emails/send/schema"

const { from, replyTo, html, text, attachments, headers } = NewEmail.shape
const { tags, metadata, topicId, trackingSettings, testMode, giveUpAfterSeconds } = NewEmail.shape

/** The fields of a send that a broadcast has, too. */
export const contentFields = {
  from,
  replyTo,
  subject: subjectText,
  html,
  text,
  attachments,
  headers,
  tags,
  metadata,
  topicId: topicId.describe("The topic that the broadcast belongs to; only people subscribed to it get the broadcast."),
  sendTimeCategory: z.enum(categories).default("marketing"),
  trackingSettings: trackingSettings.describe("`unsubscribeTracking` is always on."),
  testMode,
  giveUpAfterSeconds,
}

export const BroadcastContent = z.strictObject(contentFields)
export type BroadcastContent = z.output<typeof BroadcastContent>

/** Content that an earlier release accepted: what a request of today may not give is left out or taken as it is. */
const StoredBroadcastContent = BroadcastContent.extend({
  headers: z.record(z.string(), z.string()).transform(sendableHeaders).optional(),
  attachments: z.array(Attachment).optional(),
})

/** As it was checked when it was stored, by this release or an earlier one. */
export function readContent(json: unknown): BroadcastContent {
  return StoredBroadcastContent.parse(json)
}

/** A segment or topic with its members, a contact, or an address. */
export type Entry = { audience: string } | { contact: string } | Address

const entry = z
  .string()
  .transform((text, context): Entry => {
    if (/^(top|seg)_[0-9a-z]{26}$/.test(text)) return { audience: text }
    if (/^con_[0-9a-z]{26}$/.test(text)) return { contact: text }
    const parsed = parseAddress(text)
    if (parsed.ok) return parsed
    context.addIssue({ code: "custom", message: parsed.reason })
    return z.NEVER
  })
  .meta({ maxLength: addressTextMax })

export const entries = z
  .union([entry.transform((one) => [one]), z.array(entry).min(1, "Must name a recipient.").max(entriesMax)])
  .describe(
    `Up to ${entriesMax} ids of segments (\`seg_\`), topics (\`top_\`) and contacts (\`con_\`), and addresses: everyone in any of them gets the email once. A bare string is also accepted.`,
  )

/** Stored entries are those of an accepted request. */
export function readEntries(texts: readonly string[]): Entry[] {
  return entries.parse([...texts])
}

/** What the form of each field cannot show. */
export function checkContent(
  { template, ...content }: Partial<BroadcastContent> & { template?: unknown },
  context: z.RefinementCtx,
): void {
  const add = (path: string[], message: string) => context.addIssue({ code: "custom", path, message })
  const missing = template === undefined ? missingBody(content) : null
  if (missing) add([missing], "Give html, text or both.")
  if (mimePartCount(content) > mimePartsMax) add(["attachments"], `At most ${mimePartsMax} MIME parts.`)
  if (content.trackingSettings?.unsubscribeTracking === false)
    add(["trackingSettings", "unsubscribeTracking"], "A broadcast always carries a link to unsubscribe.")
  for (const name of unsubscribeHeadersOf(content.headers ?? {}))
    add(["headers", name], "This service sets it on every broadcast.")
}
