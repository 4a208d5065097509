import type { Address } from "@/lib/addresses/address"
import { storeContent } from "@/lib/emails/content/data"
import { type Author, messageRow, recipientRow, type Send } from "@/lib/emails/send/rows"
import { bytesOf } from "@/lib/emails/send/plan"
import type { ComposedEmail } from "@/lib/emails/send/schema"
import { newId } from "@/lib/platform/ids"

/** What all emails of a broadcast have in common; their bodies and attachments are stored once, under `contentId`. */
export type BroadcastMail = { broadcastId: string; contentId: string; author: Author; email: ComposedEmail }

export type BroadcastRecipient = {
  key: string
  to: Address
  /** The topic that this email belongs to, and the public id of the topic or segment through which it is sent. */
  topicId: string | null
  audienceId: string | null
}

/** Its place in the group of the shared content: never the first, whose body would be its own. */
const idx = 1

/** The send to one recipient of a broadcast, with the link and the headers to unsubscribe. */
export function broadcastSend(mail: BroadcastMail, { key, to, topicId, audienceId }: BroadcastRecipient): Send {
  const { author, broadcastId, contentId, email } = mail
  const id = newId()
  const group = [{ ...to, role: "to" as const }]
  const decided = { unsubscribe: true, topicId, audienceId, broadcastId, small: false }
  const message = { id, idx, groupId: contentId, group, scheduledAt: null }
  const bytes = bytesOf(email)
  return {
    key,
    domain: email.from.domain,
    free: email.testMode,
    bytes: 0,
    totalBytes: bytes,
    large: null,
    messages: [messageRow(author, email, { ...decided, bytes }, message)],
    recipients: group.map((one) => recipientRow(one, id, topicId)),
  }
}

/** Stores the content that the emails of a broadcast share. Its id; null where the project may not store that much. */
export async function storeBroadcastContent(projectId: string, email: ComposedEmail): Promise<string | null> {
  const id = newId()
  const { text = null, html = null, attachments: files = [] } = email
  const content = { id, text, html, files, bytes: bytesOf(email) }
  return (await storeContent(projectId, content, { inUse: true })) ? id : null
}
