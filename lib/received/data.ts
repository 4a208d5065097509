import { z } from "zod"
import { type ClaimedMail, finishRouted, type RoutedReading } from "@/lib/inbound/mails-sql"
import { db, type InProject } from "@/lib/platform/database/scoped-db"
import { cursorSlice, newestFirst, type CursorSlice, type CursorPosition } from "@/lib/platform/http/cursors"
import type { Scope } from "@/lib/platform/http/scope"
import { decodeId, firstIdAt, instantOf } from "@/lib/platform/ids"
import { shown } from "@/lib/platform/database/shape"
import { present } from "@/lib/platform/schema"
import type { ReceivedEmail } from "@/lib/received/schema"
import { addEvent, findDeliveriesOf, replayDelivery } from "@/lib/webhooks/history/data"
import type { Payload } from "@/lib/webhooks/rules"
import type { WebhookDelivery } from "@/lib/webhooks/schema"
import type { Prisma } from "@/prisma/generated/client"

/** The type of the event for mail that came by a route. */
export const receivedEvent = "email.received"

const isReceived = { door: "route" }

const shape = {
  ...{ id: true, routeId: true, emailId: true, mailFrom: true, rcptTo: true, size: true, receivedAt: true },
  ...{ verdicts: true, reading: true },
} as const satisfies Prisma.InboundMessageSelect

const detailShape = {
  ...shape,
  ...{ client: true, helo: true, tls: true, keepUntil: true, raw: true },
} as const

/** What the worker has read of a mail (read-received.ts). */
const Reading = z.object({
  from: z.string().nullable(),
  fromName: z.string().nullable(),
  subject: z.string(),
  messageId: z.string().nullable(),
  autoSubmitted: z.boolean(),
  plus: z.string().nullable(),
  attachmentCount: z.number(),
})

/** What it proves of its sender (lib/inbound/arrival.ts). */
const Verdicts = z.object({ spf: z.string(), dkim: z.string(), dmarc: z.string() })

type Row = Prisma.InboundMessageGetPayload<{ select: typeof shape }>

/** What was read of a mail, as it is shown; of one that was not read yet nothing. */
export function shownReading(stored: unknown) {
  const { from, fromName, subject, messageId, plus, autoSubmitted, attachmentCount } =
    Reading.safeParse(stored).data ?? {}
  return {
    ...(from && { from }),
    fromName: fromName ?? undefined,
    subject: subject || undefined,
    messageId: messageId ?? undefined,
    plus: plus ?? undefined,
    autoSubmitted,
    attachmentCount,
  }
}

function toReceived(row: Row): ReceivedEmail {
  const { id, routeId, emailId, mailFrom, rcptTo, size, receivedAt } = row
  // Until the worker has read it, the envelope is all that is known.
  const { from = mailFrom, messageId: _, ...reading } = shownReading(row.reading)
  const { spf, dkim, dmarc } = Verdicts.safeParse(row.verdicts).data ?? {}
  return shown<ReceivedEmail>()({
    id,
    routeId: present(routeId),
    to: rcptTo,
    from,
    ...reading,
    inReplyTo: present(emailId),
    ...{ spf, dkim, dmarc },
    size,
    receivedAt,
  })
}

export type ReceivedFilter = {
  routeId?: string | undefined
  inReplyTo?: string | undefined
  to?: string | undefined
  from?: Date | undefined
  until?: Date | undefined
}

/** Newest first. */
export async function listReceived(
  scope: Scope,
  { routeId, inReplyTo, to, from, until }: ReceivedFilter,
  position: CursorPosition | null,
  size: number,
): Promise<CursorSlice<ReceivedEmail>> {
  const where = {
    ...isReceived,
    ...(routeId && { routeId }),
    ...(inReplyTo && { emailId: inReplyTo }),
    ...(to && { rcptTo: to.toLowerCase() }),
  }
  const window = {
    ...(from && { gte: firstIdAt(from) }),
    ...(until && { lt: firstIdAt(until) }),
  }
  const { orderBy, beyond, beside } = newestFirst(position)
  const [rows, other] = await Promise.all([
    db(scope).inboundMessage.findMany({
      where: { ...where, AND: [{ id: window }, beyond] },
      select: shape,
      orderBy,
      take: size + 1,
    }),
    beside
      ? db(scope).inboundMessage.findFirst({ where: { ...where, AND: [{ id: window }, beside] }, select: { id: true } })
      : null,
  ])
  return cursorSlice(position, size, rows.map(toReceived), other !== null)
}

export type ReceivedRow = ReceivedEmail & {
  messageId: string | undefined
  returnPath: string
  client: string
  helo: string
  tls: string | undefined
  keepUntil: Date | undefined
  raw: Uint8Array
}

/** Null if the project has received no such email. */
export async function findReceived(scope: InProject, id: string): Promise<ReceivedRow | null> {
  const row = await db(scope).inboundMessage.findFirst({ where: { ...isReceived, id }, select: detailShape })
  if (!row) return null
  const { client, helo, tls, keepUntil, raw, mailFrom } = row
  return {
    ...toReceived(row),
    messageId: shownReading(row.reading).messageId,
    returnPath: mailFrom,
    ...{ client, helo, raw },
    tls: present(tls),
    keepUntil: present(keepUntil),
  }
}

export async function findReceivedRaw(scope: Scope, id: string): Promise<Uint8Array | null> {
  const row = await db(scope).inboundMessage.findFirst({ where: { ...isReceived, id }, select: { raw: true } })
  return row && row.raw
}

/**
 * Records what was read of a mail and queues its event, both or neither; a webhook may not take the event. False if another
 * worker has the mail by now.
 */
export async function recordReceived(
  scope: InProject,
  claimed: Pick<ClaimedMail, "id" | "attempt">,
  read: RoutedReading,
  event: { webhookId: string; payload: Payload } | null,
): Promise<boolean> {
  return db(scope).$transaction(async (tx) => {
    if (!(await finishRouted(claimed, read, tx))) return false
    if (event) await addEvent(scope, event.webhookId, eventOf(claimed.id, event.payload), tx)
    return true
  })
}

/** Deliveries of a mail's event that are shown. */
const deliveriesMax = 20

export function deliveriesOfReceived(scope: Scope, id: string): Promise<WebhookDelivery[]> {
  return findDeliveriesOf(scope, [id], deliveriesMax)
}

/** Queues the event of a mail once more for a webhook. False if the webhook does not take it. */
export async function deliverAgain(
  scope: Scope,
  id: string,
  { webhookId, payload }: { webhookId: string; payload: Payload },
): Promise<boolean> {
  const last = (await deliveriesOfReceived(scope, id)).find(({ webhookEndpointId }) => webhookEndpointId === webhookId)
  if (last) return replayDelivery(scope, webhookId, last.id)
  return db(scope).$transaction((tx) => addEvent(scope, webhookId, eventOf(id, payload), tx))
}

function eventOf(eventId: string, payload: Payload) {
  return { eventId, type: receivedEvent, payload } as const
}

/** A message id is made together with its email, at most so much earlier or later. */
const messageIdToleranceMs = 5_000
/** An attempt is recorded after SES has answered it; the clocks are not the same. */
const sesToleranceMs = 60_000

/**
 * The email of the project that has one of these message ids. Ours and those of Amazon SES have the time at which they were made, so
 * that only what was made then is compared.
 */
export async function emailAnswered(scope: InProject, messageIds: readonly string[]): Promise<string | null> {
  for (const messageId of messageIds) {
    const emailId = (await emailWith(scope, messageId)) ?? (await emailSentBySes(scope, messageId))
    if (emailId !== null) return emailId
  }
  return null
}

async function emailWith(scope: InProject, messageId: string): Promise<string | null> {
  const made = madeAt(messageId)
  if (made === null) return null
  const email = await db(scope).email.findFirst({
    where: { messageId, id: idsAround(made, messageIdToleranceMs) },
    select: { id: true },
  })
  return email && email.id
}

/** Amazon SES puts an id of its own in the place of ours; the attempt that it accepted has it (lib/delivery/ses/transport.ts). */
async function emailSentBySes(scope: InProject, messageId: string): Promise<string | null> {
  const [, id, milliseconds = ""] = sesMessageId.exec(messageId) ?? []
  if (id === undefined) return null
  const attempt = await db(scope).deliveryAttempt.findFirst({
    where: { text: `Ok ${id}`, id: idsAround(new Date(parseInt(milliseconds, 16)), sesToleranceMs) },
    select: { emailId: true },
  })
  return attempt && attempt.emailId
}

/** Four hexadecimal digits, twelve of the milliseconds at which it was made, and random ones. */
const sesMessageId = /^<([0-9a-f]{4}([0-9a-f]{12})-[0-9a-f-]{36}-\d{6})@[a-z0-9.-]{1,100}\.amazonses\.com>$/

/** The ids of what was made at most so much earlier or later. */
function idsAround(at: Date, toleranceMs: number) {
  return {
    gte: firstIdAt(new Date(at.getTime() - toleranceMs)),
    lt: firstIdAt(new Date(at.getTime() + toleranceMs)),
  }
}

/** The time in a message id of ours (lib/emails/send/data.ts); null for those of others. */
function madeAt(messageId: string): Date | null {
  const local = /^<([0-9a-z]{26})@[^@>]+>$/.exec(messageId)?.[1]
  const id = local === undefined ? null : decodeId("msg", `msg_${local}`)
  return id === null ? null : instantOf(id)
}
