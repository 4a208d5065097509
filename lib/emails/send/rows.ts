import type { Address } from "@/lib/addresses/address"
import type { LargeContent } from "@/lib/emails/content/data"
import type { ComposedEmail } from "@/lib/emails/send/schema"
import { isHeldBySimulator, simulatorName } from "@/lib/emails/simulator"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId, newId } from "@/lib/platform/ids"

/** A send as the accept function takes it: which sender, which claim, and the messages with their recipients. */
export type Send = {
  key: string | null
  domain: string
  free: boolean
  /** Of the content that travels with the messages. */
  bytes: number
  /** Of all that the send makes: attachments once, bodies once for each message. */
  totalBytes: number
  messages: MessageRow[]
  /** The bodies of the first message; the others show the same. */
  text?: string
  html?: string
  recipients: RecipientRow[]
  /** Content that is stored before the send is decided. */
  large: LargeContent | null
}

export type RecipientRole = "to" | "cc" | "bcc"
export type Recipient = Address & { role: RecipientRole }

/** Who sends, as it is stored with each message. */
export type Author = { keyId: string | null; userId: string | null; requestId: string | null }

export function authorOf({ principal, request }: Scope): Author {
  return {
    keyId: principal.kind === "key" ? principal.keyId : null,
    userId: principal.kind === "session" ? principal.userId : null,
    requestId: request.id,
  }
}

/** What is decided once for all messages of a send. */
export type Decided = {
  bytes: number
  unsubscribe: boolean
  topicId: string | null
  /** The public id of the topic or segment that it goes to. */
  audienceId: string | null
  broadcastId: string | null
  /** Whether the content travels with the first message. */
  small: boolean
}

/** A message of a send: its id, its index, and the addresses that share it. */
type Message = {
  id: string
  idx: number
  groupId: string
  group: readonly Recipient[]
  scheduledAt: Date | null
  /** What the template of the shared content shows of the contact. */
  contactValues?: Readonly<Record<string, string>> | undefined
}

/**
 * A message as `accept_emails` takes it, without its bodies. One literal without a spread: a row of so many fields that
 * grows field by field takes the engine longer than all other work on it. What is undefined is not written, sent and read.
 */
export function messageRow(author: Author, email: ComposedEmail, decided: Decided, message: Message) {
  const { id, idx, groupId, group, scheduledAt } = message
  const { bytes, unsubscribe, small } = decided
  return {
    id,
    idx,
    group_id: groupId,
    event_id: newId(),
    message_id: `<${encodeId("msg", newId()).slice(4)}@${email.from.domain}>`,
    to_headers: headersOf(group, "to"),
    cc_headers: headersOf(group, "cc"),
    bcc_headers: headersOf(group, "bcc"),
    from_header: addressHeader(email.from),
    reply_to: email.replyTo ? addressHeader(email.replyTo) : undefined,
    subject: email.subject,
    attachments: small && idx === 0 ? email.attachments : undefined,
    contact_values: message.contactValues,
    headers: email.headers ?? undefined,
    tags: email.tags ?? undefined,
    metadata: email.metadata ?? undefined,
    tracking: { ...email.trackingSettings, unsubscribeTracking: unsubscribe },
    category: email.sendTimeCategory,
    topic_id: decided.topicId ?? undefined,
    audience_id: decided.audienceId ?? undefined,
    broadcast_id: decided.broadcastId ?? undefined,
    test_mode: email.testMode,
    scheduled_at: scheduledAt ?? undefined,
    window_start: email.deliveryWindow?.start,
    window_end: email.deliveryWindow?.end,
    give_up_after: email.giveUpAfterSeconds,
    tls: email.tls,
    size: bytes,
    key_id: author.keyId ?? undefined,
    user_id: author.userId ?? undefined,
    request_id: author.requestId ?? undefined,
  }
}
export type MessageRow = ReturnType<typeof messageRow>

export function recipientRow({ role, address, canonical }: Recipient, message: string, topicId: string | null) {
  return {
    id: newId(),
    message,
    role,
    address,
    canonical,
    simulated: simulatorName(canonical) === null ? undefined : true,
    /** Suppressed whatever the list says. */
    held: isHeldBySimulator(canonical) ? true : undefined,
    /** The topic of its mail, which it may have left. */
    topic: topicId ?? undefined,
    event_id: newId(),
  }
}
export type RecipientRow = ReturnType<typeof recipientRow>

function headersOf(group: readonly Recipient[], role: RecipientRole): string[] | undefined {
  const headers = group.filter((recipient) => recipient.role === role).map(addressHeader)
  return headers.length > 0 ? headers : undefined
}

export function addressHeader({ name, address }: Address): string {
  if (!name) return address
  return /^[\p{L}\p{N} !#$%&'*+/=?^_`{|}~-]+$/u.test(name)
    ? `${name} <${address}>`
    : `"${name.replaceAll(/["\\]/g, "\\$&")}" <${address}>`
}
