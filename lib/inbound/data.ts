import { z } from "zod"
import type { OperatorMail } from "@/lib/inbound/schema"
import { unscoped } from "@/lib/platform/database/db"
import { counted, sliceOf, type PageRequest } from "@/lib/platform/http/paging"
import type { Prisma } from "@/prisma/generated/client"

/** Mail to the addresses of the service: what people and feedback loops write to its operator. */
const isForOperator = {
  projectId: null,
  door: { in: ["mailbox", "feedback"] },
} satisfies Prisma.InboundMessageWhereInput

const shape = { id: true, mailFrom: true, rcptTo: true, size: true, receivedAt: true, reading: true } as const

const detailShape = {
  ...shape,
  client: true,
  helo: true,
  tls: true,
  raw: true,
} as const

/** What the list shows of a reading. */
const Facts = z.object({ from: z.string().nullable(), subject: z.string() })

/** The operator's mailbox, newest first. */
export async function listOperatorMails(request: PageRequest): Promise<{ data: OperatorMail[]; total: number }> {
  const { rows, total } = await counted(
    request,
    unscoped().inboundMessage.findMany({
      where: isForOperator,
      select: shape,
      orderBy: { id: "desc" },
      ...sliceOf(request),
    }),
    () => unscoped().inboundMessage.count({ where: isForOperator }),
  )
  return { data: rows.map(summaryOf), total }
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
  return { ...summaryOf(row), returnPath, client, helo, tls, raw }
}

function summaryOf(row: Prisma.InboundMessageGetPayload<{ select: typeof shape }>): OperatorMail {
  const { id, mailFrom, rcptTo, size, receivedAt } = row
  // Until the worker has read a mail, the envelope is all that is known.
  const { from, subject } = Facts.safeParse(row.reading).data ?? { from: null, subject: "" }
  return { id, to: rcptTo, from: from ?? mailFrom, ...(subject === "" ? {} : { subject }), size, receivedAt }
}
