import { z } from "zod"
import type { OperatorReason } from "@/lib/inbound/operator-mail"
import { operatorReasons, type OperatorMail, type ReturnedMailItem } from "@/lib/inbound/schema"
import { mailFaults, type ReportMail } from "@/lib/inbound/report-schema"
import { unscoped } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"
import { firstIdAt } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"
import { counted, sliceOf, type PageRequest } from "@/lib/platform/http/paging"
import type { Prisma } from "@/prisma/generated/client"

/** What people and feedback loops write to the service, and what came back and could not be read or matched. */
const isForOperator = { operatorReason: { not: null } } satisfies Prisma.InboundMessageWhereInput

const shape = { id: true, mailFrom: true, rcptTo: true, size: true, receivedAt: true, reading: true } as const

const operatorShape = { ...shape, operatorReason: true, projectId: true, emailId: true } as const

const detailShape = {
  ...operatorShape,
  client: true,
  helo: true,
  tls: true,
  raw: true,
} as const

/** What is shown of a reading (record-sql.ts). */
const Reading = z.object({
  kind: z.string(),
  reportingMta: z.string().nullish(),
  feedbackType: z.string().optional(),
  recipients: z
    .array(
      z.object({
        address: z.string().nullable(),
        action: z.string(),
        status: z.string().nullable(),
        diagnostic: z.object({ text: z.string() }).nullable(),
        innermostReply: z.object({ code: z.number(), enhanced: z.string().nullable(), text: z.string() }).nullable(),
      }),
    )
    .optional(),
})

/** What a list shows of it. */
const Facts = z.object({ from: z.string().nullable(), subject: z.string() })

const returnedShape = {
  ...shape,
  deliveryId: true,
  outcome: true,
  matchedBy: true,
} as const

const returnedMax = 100

/** Mail that came back for an email, newest first; null if the project has no such email. */
export async function findReturnedMails(scope: Scope, emailId: string): Promise<ReturnedMailItem[] | null> {
  const [email, mails, deliveries] = await Promise.all([
    db(scope).email.findUnique({ where: { id: emailId }, select: { id: true } }),
    db(scope).inboundMessage.findMany({
      where: { emailId, door: { not: "route" } },
      select: returnedShape,
      orderBy: { id: "desc" },
      take: returnedMax,
    }),
    db(scope).delivery.findMany({ where: { emailId }, select: { id: true, address: true }, take: 1_000 }),
  ])
  if (!email) return null
  const addresses = new Map(deliveries.map(({ id, address }) => [id, address]))
  return mails.map((mail) => ({
    ...returnedOf(mail),
    recipient: present(mail.deliveryId === null ? null : addresses.get(mail.deliveryId)),
  }))
}

/** The octets of a mail that came back; undefined if there is no such mail of the email, null if there is no such email. */
export async function findReturnedRaw(
  scope: Scope,
  emailId: string,
  id: string,
): Promise<Uint8Array | null | undefined> {
  const [email, mail] = await Promise.all([
    db(scope).email.findUnique({ where: { id: emailId }, select: { id: true } }),
    db(scope).inboundMessage.findFirst({ where: { id, emailId, door: { not: "route" } }, select: { raw: true } }),
  ])
  return email && mail?.raw
}

function returnedOf(row: Prisma.InboundMessageGetPayload<{ select: typeof returnedShape }>): ReturnedMailItem {
  const reading = Reading.safeParse(row.reading).data
  const { to: _, ...summary } = summaryOf(row)
  return {
    ...summary,
    kind: reading?.kind,
    outcome: present(row.outcome),
    matchedBy: present(row.matchedBy),
    reportingServer: present(reading?.reportingMta),
    feedbackType: reading?.feedbackType,
    recipients: (reading?.recipients ?? []).map(({ address, action, status, diagnostic, innermostReply }) => ({
      address: present(address),
      action,
      status: present(status),
      replyCode: innermostReply?.code,
      replyStatus: present(innermostReply?.enhanced),
      reply: innermostReply?.text ?? diagnostic?.text,
    })),
  }
}

/** The operator's mailbox, newest first. */
export async function findOperatorMails(request: PageRequest): Promise<{ data: OperatorMail[]; total: number }> {
  const { rows, total } = await counted(
    request,
    unscoped().inboundMessage.findMany({
      where: isForOperator,
      select: operatorShape,
      orderBy: { id: "desc" },
      ...sliceOf(request),
    }),
    () => unscoped().inboundMessage.count({ where: isForOperator }),
  )
  return { data: rows.map(operatorMailOf), total }
}

const noMails = { written: 0, unmatched: 0, unreadable: 0, answer: 0, given_up: 0 }

/** What is in the operator's mailbox, by why. */
export async function countOperatorMails(): Promise<Record<OperatorReason, number>> {
  const counts = await unscoped().inboundMessage.groupBy({ by: ["operatorReason"], where: isForOperator, _count: true })
  const known = counts.flatMap(({ operatorReason, _count }) => (operatorReason ? [[operatorReason, _count]] : []))
  return { ...noMails, ...Object.fromEntries(known) }
}

export type OperatorMailRow = OperatorMail & {
  returnPath: string
  client: string
  helo: string
  tls: string | null
  raw: Uint8Array
}

/** Null if the operator's mailbox has no such mail. */
export async function findOperatorMail(id: string): Promise<OperatorMailRow | null> {
  const row = await unscoped().inboundMessage.findFirst({ where: { ...isForOperator, id }, select: detailShape })
  if (!row) return null
  const { mailFrom: returnPath, client, helo, tls, raw } = row
  return { ...operatorMailOf(row), returnPath, client, helo, tls, raw }
}

function operatorMailOf(row: Prisma.InboundMessageGetPayload<{ select: typeof operatorShape }>): OperatorMail {
  return {
    ...summaryOf(row),
    reason: operatorReasons.find((reason) => reason === row.operatorReason) ?? "written",
    projectId: present(row.projectId),
    emailId: present(row.emailId),
  }
}

function summaryOf(
  row: Prisma.InboundMessageGetPayload<{ select: typeof shape }>,
): Omit<OperatorMail, "reason" | "projectId" | "emailId"> {
  const { id, mailFrom, rcptTo, size, receivedAt } = row
  // Until the worker has read a mail, the envelope is all that is known.
  const { from, subject } = Facts.safeParse(row.reading).data ?? { from: null, subject: "" }
  return { id, to: rcptTo, from: from ?? mailFrom, ...(subject === "" ? {} : { subject }), size, receivedAt }
}

/** What came to an address for reports since a time, whatever it was. */
export async function reportMailToday(address: string, since: Date): Promise<{ mails: number; bytes: number }> {
  const { _count: mails, _sum } = await unscoped().inboundMessage.aggregate({
    where: { rcptTo: address, door: "reports", id: { gte: firstIdAt(since) } },
    _count: true,
    _sum: { size: true },
  })
  return { mails, bytes: _sum.size ?? 0 }
}

const refusedMax = 1_000

/** What came to an address for reports and waits, or was not taken. */
export async function reportMailOf(address: string): Promise<Pick<ReportMail, "waiting" | "refused" | "lastRefused">> {
  const toAddress = { rcptTo: address, door: "reports" }
  const [waiting, refused] = await Promise.all([
    unscoped().inboundMessage.count({ where: { ...toAddress, dueAt: { not: null } } }),
    unscoped().inboundMessage.findMany({
      where: { ...toAddress, outcome: "refused" },
      select: { id: true },
      orderBy: { id: "desc" },
      take: refusedMax,
    }),
  ])
  const [first] = refused
  const last = first && (await unscoped().inboundMessage.findUnique({ where: { id: first.id }, select: shape }))
  return { waiting, refused: refused.length, lastRefused: present(last ? refusedOf(last) : null) }
}

function refusedOf(row: Prisma.InboundMessageGetPayload<{ select: typeof shape }>): ReportMail["lastRefused"] {
  const reason = z.object({ reason: z.enum(mailFaults) }).safeParse(row.reading).data?.reason ?? "malformed"
  return { from: summaryOf(row).from, receivedAt: row.receivedAt, reason }
}
