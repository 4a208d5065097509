import { parseAddress } from "@/lib/addresses/address"
import { compose, type ComposeInput, type Mailbox } from "@/lib/delivery/message/compose"
import { type Body, findBody, storeRaw } from "@/lib/delivery/message/data"
import { sign } from "@/lib/delivery/message/dkim"
import { referenceOf, trackingToken } from "@/lib/delivery/message/proven-ids"
import type { Signer } from "@/lib/delivery/message/signers"
import { trackHtml, type Wanted } from "@/lib/delivery/message/tracked-html"
import { unsubscribeAddress, unsubscribeToken, withFooter } from "@/lib/delivery/message/unsubscribe"
import type { Message } from "@/lib/delivery/queue/claims/messages-sql"
import { feedbackHost } from "@/lib/domains/records/records"
import { sendableHeaders } from "@/lib/emails/header-rules"
import { simulatorName } from "@/lib/emails/simulator"
import { hmac } from "@/lib/platform/crypto"
import { env } from "@/lib/platform/env/env"
import { encodeId } from "@/lib/platform/ids"
import type { Slots } from "@/lib/platform/jobs/slots"
import { parseUrl } from "@/lib/platform/url-rules"
import type { Region } from "@/lib/regions/regions"
import { regionSettings } from "@/lib/regions/settings"

/** The delivery that a message is composed for, and the region that sends it. */
type Sent = { deliveryId: string; region: Region }

/** The bytes that every attempt of a message sends: composed, signed and stored at the first, read at each later one. */
export async function composed(
  message: Message,
  delivery: Sent,
  signer: Signer,
  date: Date,
  inSlot: Slots,
): Promise<Buffer> {
  const body = message.body ?? (await findBody(message))
  if (body.raw) return body.raw
  const { raw, input, tracked } = await inSlot(async () => {
    const { body: whole, link, tracked } = bodyAsSent(body, message, { ...delivery, trackingHost: signer.trackingHost })
    const input = inputOf(message, delivery, { ...whole, link }, date, signer)
    return { raw: await sign(await compose(input), signer), input, tracked }
  })
  return storeRaw({
    ...message,
    raw,
    tracked,
    shared: body.shared ? input.attachments.map(({ content }) => content) : [],
  })
}

/** What of a message decides how its bodies are sent. */
export type SentAs = Pick<Message, "unsubscribe" | "recipients" | "tracking" | "toHeaders" | "headers">

type Where = { deliveryId: string; trackingHost: string | null }

/** The bodies as they are sent: with what is tracked in them, and with the link to unsubscribe. */
export function bodyAsSent<Given extends Bodies>(
  body: Given,
  message: SentAs,
  where: Where,
): { body: Given; link: string | null; tracked: Tracked | null } {
  const { body: shown, tracked, bodyEnd } = withTracking(body, message, where)
  // The link unsubscribes one recipient, so a message to several cannot have one.
  const link = message.unsubscribe && message.recipients === 1 ? unsubscribeLink(where.deliveryId) : null
  return { body: link ? withFooter(shown, link, bodyEnd) : shown, link, tracked }
}

function inputOf(
  message: Message,
  { deliveryId, region }: Sent,
  { text, html, attachments, link }: Body & { raw: null; link: string | null },
  date: Date,
  signer: Signer,
): ComposeInput {
  return {
    messageId: message.messageId,
    date,
    from: sender(message.fromHeader),
    to: message.toHeaders.map(mailbox),
    cc: message.ccHeaders.map(mailbox),
    ...(message.replyTo ? { replyTo: mailbox(message.replyTo) } : {}),
    subject: message.subject,
    ...(text === null ? {} : { text }),
    ...(html === null ? {} : { html }),
    attachments: attachments.map(({ content, disposition = "attachment", ...attachment }) => ({
      ...attachment,
      disposition,
      content: typeof content === "string" ? Buffer.from(content, "base64") : content,
    })),
    headers: Object.entries(sendableHeaders(message.headers)).map(([name, value]) => ({ name, value })),
    // RFC 8058 requires https for one-click unsubscribing.
    ...(link
      ? { unsubscribe: { url: link, ...mailtoOf(deliveryId, region), oneClick: link.startsWith("https://") } }
      : {}),
    ...(message.topicId === null ? {} : { listId: listIdOf(message.topicId, mailbox(message.fromHeader).address) }),
    feedbackId: feedbackIdOf(message, signer.domain),
    reference: referenceOf({ emailId: message.id, deliveryId, recipients: message.recipients }, hmac),
  }
}

/** The same for every mail of the topic and for no other (RFC 2919): its id as a label under the sender's domain. */
function listIdOf(topicId: string, from: string): string {
  return `<${encodeId("top", topicId).replace("_", "-")}.${from.slice(from.lastIndexOf("@") + 1)}>`
}

const feedbackIdCharsMax = 127

/** By topic or category, project and domain, so that mailbox providers' reports tell them apart; a long domain is cut at its start. */
export function feedbackIdOf(
  { topicId, category, projectId }: Pick<Message, "topicId" | "category" | "projectId">,
  domain: string,
): string {
  const ahead = `${topicId === null ? category : encodeId("top", topicId)}:${encodeId("proj", projectId)}:`
  const behind = ":mailroom"
  return `${ahead}${domain.slice(-(feedbackIdCharsMax - ahead.length - behind.length))}${behind}`
}

/**
 * At the feedback host: the MX of the MAIL FROM domain may lead to the provider of the region. Programs prefer the address to the
 * link, so it is there only once the operator has named the port to which the feedback hosts lead.
 */
function mailtoOf(deliveryId: string, region: Region): { mailto?: string } {
  if (!regionSettings().inbound.isNamed) return {}
  const address = `${unsubscribeAddress(deliveryId, hmac)}@${feedbackHost(region, env())}`
  return { mailto: `mailto:${address}?subject=unsubscribe` }
}

function unsubscribeLink(deliveryId: string): string {
  return `${env().baseUrl}/u/${unsubscribeToken(deliveryId, hmac)}`
}

/** Cached, because parsing an address takes some ten microseconds and most mail has one of a few senders. */
function sender(header: string): Mailbox {
  const known = senders.get(header) ?? mailbox(header)
  if (senders.size >= sendersMax) senders.clear()
  senders.set(header, known)
  return known
}

const senders = new Map<string, Mailbox>()
const sendersMax = 1_000

function mailbox(header: string): Mailbox {
  const parsed = parseAddress(header)
  if (!parsed.ok) throw new Error(`The stored address cannot be read: ${parsed.reason}`)
  return parsed.name ? { name: parsed.name, address: parsed.address } : { address: parsed.address }
}

// What is tracked in it

/** What is stored of a tracked message: where its links lead, and the host that they name. */
export type Tracked = { host: string | null; urls: string[]; short: boolean }

type Bodies = { text: string | null; html: string | null }

/**
 * The bodies as they are sent, with what is tracked in them. A message that several people get cannot tell them apart, and a text
 * has no place for an image, so both stay as they are. `bodyEnd`: where the changed HTML may be added to.
 */
function withTracking<Given extends Bodies>(
  body: Given,
  message: SentAs,
  { deliveryId, trackingHost }: Where,
): { body: Given; tracked: Tracked | null; bodyEnd?: number } {
  const wanted = wantedOf(message)
  const isWanted = wanted.opens || wanted.clicks || wanted.reading
  if (!isWanted || message.recipients !== 1 || body.html === null) return { body, tracked: null }
  const origin = trackingHost === null ? env().baseUrl : `https://${trackingHost}`
  const url = (kind: "open" | "click" | "read" | "mark", number = 0) =>
    `${origin}/t/${trackingToken({ kind, deliveryId, number }, hmac)}`
  const theirs = unsubscribeUrls(message.headers)
  const { html, bodyEnd, urls, short } = trackHtml(
    body.html,
    wanted,
    { link: (number) => url("click", number), image: (kind, percent) => `${url(kind, percent)}.gif` },
    (target) => isOurs(target) || theirs.has(target.href),
  )
  return { body: { ...body, html }, tracked: { host: trackingHost, urls, short }, bodyEnd }
}

/** The simulator's readers open and click whatever the settings are. */
function wantedOf({ tracking, toHeaders }: SentAs): Wanted {
  const [to = ""] = toHeaders
  const parsed = parseAddress(to)
  const reader = parsed.ok ? simulatorName(parsed.canonical) : null
  const clicks = reader === "clicked"
  return {
    opens: tracking.opens || clicks || reader === "opened",
    clicks: tracking.clicks || clicks,
    reading: tracking.reading,
    marks: tracking.reading && tracking.marks,
  }
}

/** Links to unsubscribe or to choose topics, which must work without us recording them. */
function isOurs({ origin, pathname }: URL): boolean {
  return origin === env().baseUrl && /^\/[tu]\//.test(pathname)
}

function unsubscribeUrls(headers: Record<string, string>): Set<string> {
  const value = Object.entries(headers).find(([name]) => name.toLowerCase() === "list-unsubscribe")?.[1] ?? ""
  const listed = [...value.matchAll(/<([^<>]*)>/g)].map(([, url = ""]) => url)
  return new Set(listed.flatMap((url) => parseUrl(url)?.href ?? []))
}
