import { findContent } from "@/lib/emails/content-sql"
import { putIn, type Cut } from "@/lib/emails/cuts"
import { addEvents } from "@/lib/emails/event-store"
import { presentBody } from "@/lib/emails/message-rules"
import { moveRow } from "@/lib/emails/scheduled-store"
import type { Email, TimelineItem } from "@/lib/emails/schema"
import { reasonIn } from "@/lib/explanation/codes"
import { reasonSentence, shownEventData } from "@/lib/explanation/words"
import { db } from "@/lib/platform/database/scoped-db"
import { shown } from "@/lib/platform/database/shape"
import type { Scope } from "@/lib/platform/http/scope"
import { present } from "@/lib/platform/schema"
import type { Prisma } from "@/prisma/generated/client"

/** An email without its bodies. */
export const emailShape = {
  ...{ id: true, projectId: false, idempotencyKey: false, groupId: true, groupIndex: false, status: true },
  ...{ admittedStatus: false, domainId: false, fromHeader: true, toHeaders: true, ccHeaders: true, bccHeaders: true },
  ...{ replyTo: true, subject: true, messageId: true, category: true, topicId: true, audienceId: false, tags: true },
  ...{
    broadcastId: true,
    metadata: true,
    headers: false,
    tracking: true,
    testMode: true,
    scheduledAt: true,
    admittedFor: false,
  },
  ...{
    windowStart: false,
    windowEnd: false,
    giveUpAfter: false,
    size: false,
    error: false,
    reason: true,
    reasonFacts: true,
    keyId: false,
    userId: false,
  },
  ...{ requestId: false, dueAt: false, attempt: false, sentAt: true, createdAt: true, updatedAt: true },
} as const satisfies Record<Prisma.EmailScalarFieldEnum, boolean>

export type EmailRow = Prisma.EmailGetPayload<{ select: typeof emailShape }>

type Bodies = { html: string | null; text: string | null }

/** One email with its bodies, which are stored with the first message of its send or, if the send is large, apart. */
export async function findEmail(scope: Scope, emailId: string): Promise<Email | null> {
  const email = await db(scope).email.findUnique({ where: { id: emailId }, select: emailShape })
  if (!email) return null
  const select = { html: true, text: true }
  const [own, shared] = await Promise.all([
    db(scope).emailBody.findUnique({ where: { projectId_emailId: { emailId: email.groupId } }, select }),
    db(scope).emailContent.findUnique({ where: { id: email.groupId }, select }),
  ])
  return toEmail(email, { html: own?.html ?? shared?.html ?? null, text: own?.text ?? shared?.text ?? null })
}

export function toEmail(
  { groupId: _, reason, reasonFacts, ...row }: EmailRow,
  { html, text }: Bodies = { html: null, text: null },
): Email {
  const stored = reasonIn({ reason, reasonFacts })
  const { fromHeader, toHeaders, ccHeaders, bccHeaders, category, tracking, ...fields } = row
  return shown<Email>()({
    ...fields,
    from: fromHeader,
    to: toHeaders,
    cc: ccHeaders.length ? ccHeaders : undefined,
    bcc: bccHeaders.length ? bccHeaders : undefined,
    replyTo: present(row.replyTo),
    html: presentBody(html),
    text: presentBody(text),
    topicId: present(row.topicId),
    broadcastId: present(row.broadcastId),
    ...toRequested({ category, tracking, tags: row.tags, metadata: row.metadata }),
    error: stored ? reasonSentence(stored) : undefined,
    scheduledAt: present(row.scheduledAt),
    sentAt: present(row.sentAt),
  })
}

type Requested = Pick<EmailRow, "category" | "tracking" | "tags" | "metadata">

/** `accept_emails` stores these columns as the schema of the request admitted them, so they have its types. */
function toRequested({ category, tracking, tags, metadata }: Requested) {
  return {
    sendTimeCategory: category as Email["sendTimeCategory"],
    trackingSettings: present(tracking) as Email["trackingSettings"],
    tags: present(tags) as Email["tags"],
    metadata: present(metadata) as Email["metadata"],
  }
}

const eventShape = {
  ...{ id: true, projectId: false, emailId: false, deliveryId: false, contactId: false, type: true, data: true },
  ...{ seq: false, occurredAt: true, createdAt: true },
} as const satisfies Record<Prisma.EventScalarFieldEnum, boolean>

/** Events of one email, in the order in which they happened; at most 1,000. Null when there is no such email. */
export async function findTimeline(scope: Scope, emailId: string): Promise<TimelineItem[] | null> {
  const [exists, events] = await Promise.all([
    emailExists(scope, emailId),
    db(scope).event.findMany({
      where: { emailId },
      select: eventShape,
      orderBy: [{ occurredAt: "asc" }, { id: "asc" }],
      take: 1_000,
    }),
  ])
  if (!exists) return null
  return events.map(({ data, ...event }) =>
    shown<TimelineItem>()({ ...event, payload: toPayload(data), providerEventId: undefined }),
  )
}

/** Whoever adds an event of an email writes an object of strings. */
function toPayload(data: Prisma.JsonValue): Record<string, string> {
  return shownEventData(data as Record<string, string>)
}

/** Whether the project has an email of this id. */
export async function emailExists(scope: Scope, emailId: string): Promise<boolean> {
  return Boolean(await db(scope).email.findUnique({ where: { id: emailId }, select: { id: true } }))
}

/** The audience to which the group of this email was sent; null if it went to addresses. */
export async function findAudienceId(scope: Scope, emailId: string): Promise<string | null> {
  const email = await db(scope).email.findUnique({ where: { id: emailId }, select: { audienceId: true } })
  return email?.audienceId ?? null
}

/** Removes the content of a send that was refused or replayed. */
export async function dropContent(projectId: string, id: string): Promise<void> {
  const project = db({ project: { id: projectId } })
  if ((await project.email.count({ where: { id } })) === 0) await project.emailContent.deleteMany({ where: { id } })
}

/** The composed bytes: undefined where they do not exist yet or any more, null where the email does not. */
export async function findRaw(scope: Scope, emailId: string): Promise<Buffer | null | undefined> {
  const email = await db(scope).email.findUnique({
    where: { id: emailId },
    select: { groupId: true, body: { select: { raw: true, cuts: true } } },
  })
  if (!email) return null
  if (!email.body?.raw) return undefined
  const rest = Buffer.from(email.body.raw)
  if (!email.body.cuts) return rest
  const content = await findContent(scope.project.id, email.groupId)
  return content
    ? putIn(
        { rest, cuts: toCuts(email.body.cuts) },
        content.files.map((file) => file.content),
      )
    : undefined
}

/** The delivery of the message stores what `takeOut` made. */
function toCuts(cuts: Prisma.JsonValue): Cut[] {
  return cuts as Cut[]
}

/** Moves a scheduled email to another time: false if it is no longer scheduled, null if it does not exist. */
export async function moveEmail(scope: Scope, emailId: string, at: Date): Promise<boolean | null> {
  const moved = await db(scope).$transaction(async (tx) => {
    const row = await moveRow(scope, emailId, at, tx)
    if (!row) return false
    const data = {
      to: row.toHeaders.join(", "),
      subject: row.subject,
      scheduledAt: at.toISOString(),
      previously: row.previously.toISOString(),
    }
    await addEvents(scope, [{ emailId, type: "rescheduled", data }], tx)
    return true
  })
  if (moved) return true
  return (await emailExists(scope, emailId)) ? false : null
}

/** Which of these canonical addresses are on the project's suppression list, and why. */
export async function findSuppressed(scope: Scope, canonical: string[]): Promise<Map<string, string>> {
  const rows = await db(scope).suppression.findMany({
    where: { email: { in: canonical } },
    select: { email: true, reason: true },
  })
  return new Map(rows.map(({ email, reason }) => [email, reason]))
}
