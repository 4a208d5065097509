import { addAudit } from "@/lib/access/audit/data"
import { pool } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import { shown } from "@/lib/platform/database/shape"
import { counted, type PageRequest, sliceOf } from "@/lib/platform/http/paging"
import type { Scope } from "@/lib/platform/http/scope"
import { newId } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"
import { escapeLike } from "@/lib/platform/format"
import type { SandboxMessage, Verdicts } from "@/lib/sandbox/schema"
import type { Prisma } from "@/prisma/generated/client"

const shape = {
  id: true,
  projectId: false,
  emailId: true,
  deliveryId: false,
  mailFrom: false,
  rcptTo: true,
  subject: true,
  fromHeader: true,
  dkim: true,
  spf: true,
  dmarc: true,
  verdicts: false,
  size: true,
  raw: false,
  createdAt: true,
} as const satisfies Record<Prisma.SandboxMessageScalarFieldEnum, boolean>

type Row = Prisma.SandboxMessageGetPayload<{ select: typeof shape }>

/** Messages of the project's sandbox mailbox, newest first: all, or those with this text in recipient, sender or subject. */
export async function listMessages(
  scope: Scope,
  request: PageRequest,
  search?: string,
): Promise<{ data: SandboxMessage[]; total: number }> {
  const text = { contains: escapeLike(search ?? ""), mode: "insensitive" } as const
  const where = search ? { OR: [{ rcptTo: text }, { fromHeader: text }, { subject: text }] } : {}
  const { rows, total } = await counted(
    request,
    db(scope).sandboxMessage.findMany({ where, select: shape, orderBy: { id: "desc" }, ...sliceOf(request) }),
    () => db(scope).sandboxMessage.count({ where }),
  )
  return { data: rows.map(toMessage), total }
}

export type StoredMessage = SandboxMessage & { mailFrom: string; verdicts: Verdicts; raw: Buffer }

export async function findMessage(scope: Scope, messageId: string): Promise<StoredMessage | null> {
  const row = await db(scope).sandboxMessage.findUnique({
    where: { id: messageId },
    select: { ...shape, mailFrom: true, verdicts: true, raw: true },
  })
  if (!row) return null
  const { mailFrom, verdicts, raw, ...message } = row
  return { ...toMessage(message), mailFrom, verdicts: verdictsOf(verdicts), raw: Buffer.from(raw) }
}

/** Deletes the messages of the mailbox, or the one with this ID; returns how many there were. */
export async function removeMessages(scope: Scope, id?: string): Promise<number> {
  return db(scope).$transaction(async (tx) => {
    const { count } = await tx.sandboxMessage.deleteMany({ where: id === undefined ? {} : { id } })
    if (count) await addAudit(scope, { action: "sandbox.messages_deleted", changes: { messages: count } }, tx)
    return count
  })
}

function toMessage({ fromHeader, rcptTo, createdAt, ...row }: Row): SandboxMessage {
  return shown<SandboxMessage>()({
    ...row,
    from: fromHeader ?? "",
    to: rcptTo,
    subject: present(row.subject),
    receivedAt: createdAt,
  })
}

/** Only this area writes the verdicts column. */
function verdictsOf(json: Prisma.JsonValue): Verdicts {
  return json as Verdicts
}

export type Captured = {
  deliveryId: string
  mailFrom: string
  rcptTo: string
  subject: string | null
  from: string | null
  verdicts: Verdicts
  raw: Buffer
}

/**
 * Stores a message in the mailbox of the project that the delivery belongs to. Committed when this returns; null if there
 * is no such delivery: then nobody sees it. A mail that is delivered twice is stored twice, as in any mailbox. On `pg`,
 * because a delivery attempt waits for it and only the delivery names the project.
 */
export async function captureMessage(message: Captured): Promise<string | null> {
  const { verdicts, raw } = message
  const { rows } = await pool().query<{ id: string }>({
    name: "sandbox.capture",
    text: `INSERT INTO sandbox_messages (id, project_id, email_id, delivery_id, mail_from, rcpt_to, subject,
        from_header, dkim, spf, dmarc, verdicts, size, raw)
      SELECT $1, d.project_id, d.email_id, d.id, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12
        FROM deliveries d WHERE d.id = $2 RETURNING id`,
    values: [
      newId(),
      message.deliveryId,
      message.mailFrom,
      message.rcptTo,
      message.subject,
      message.from,
      verdicts.dkim.result,
      verdicts.spf.result,
      verdicts.dmarc.result,
      verdicts,
      raw.length,
      raw,
    ],
  })
  return rows[0]?.id ?? null
}
