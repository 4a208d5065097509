import type { Address } from "@/lib/addresses/address"
import { storeContent } from "@/lib/emails/content/data"
import { type Author, messageRow, recipientRow, type Send } from "@/lib/emails/send/data"
import { bytesOf } from "@/lib/emails/send/plan"
import type { ComposedEmail } from "@/lib/emails/send/schema"
import { createContactComposer, type FilledTemplate, shownContactKeys } from "@/lib/emails/templates/compose"
import type { contactReader } from "@/lib/emails/templates/data"
import { newId } from "@/lib/platform/ids"

/** What all emails of a broadcast have in common; their bodies and attachments are stored once, under `contentId`. */
export type BroadcastMail = {
  broadcastId: string
  contentId: string
  author: Author
  email: ComposedEmail
  /** Where each recipient gets a text of their own; `email` is that of a contact of whom nothing is known. */
  personal: Personal | null
}

type ReadContact = Awaited<ReturnType<typeof contactReader>>

export type Personal = {
  template: FilledTemplate
  render: (email: string, contact: BroadcastRecipient["contact"]) => { subject: string; values: Record<string, string> }
}

/** The subject for each recipient, and the values of the contact with which the bodies are rendered when the email is sent. */
export function personalOf(template: FilledTemplate, valuesOf: ReadContact): Personal {
  const { subject } = createContactComposer(template)
  const shown = new Set(shownContactKeys(template.source))
  return {
    template,
    render: (email, contact) => {
      const values = new Map([...valuesOf(email, contact)].filter(([key]) => shown.has(key)))
      return { subject: subject(values), values: Object.fromEntries(values) }
    },
  }
}

export type BroadcastRecipient = {
  key: string
  to: Address
  /** The topic that this email belongs to, and the public id of the topic or segment through which it is sent. */
  topicId: string | null
  audienceId: string | null
  /** What an email that is rendered for each recipient shows of theirs; null for an address that is no contact. */
  contact: Parameters<ReadContact>[1]
}

/** Its place in the group of the shared content: never the first, whose body would be its own. */
const idx = 1

/** The send to one recipient of a broadcast, with the link and the headers to unsubscribe. */
export function broadcastSend(
  mail: BroadcastMail,
  { key, to, topicId, audienceId, contact }: BroadcastRecipient,
): Send {
  const { author, broadcastId, contentId, personal } = mail
  const own = personal?.render(to.canonical, contact)
  const email = own ? { ...mail.email, subject: own.subject } : mail.email
  const id = newId()
  const group = [{ ...to, role: "to" as const }]
  const decided = { unsubscribe: true, topicId, audienceId, broadcastId, small: false }
  const message = {
    id,
    idx,
    groupId: contentId,
    group,
    scheduledAt: null,
    contactValues: own?.values,
  }
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
export async function storeBroadcastContent(
  projectId: string,
  email: ComposedEmail,
  personal: Personal | null,
): Promise<string | null> {
  const id = newId()
  const { text = null, html = null, attachments: files = [] } = email
  const content = { id, text, html, files, bytes: bytesOf(email), template: personal?.template }
  return (await storeContent(projectId, content, { inUse: true })) ? id : null
}
