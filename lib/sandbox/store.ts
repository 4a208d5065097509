import type { SandboxMessage, Verdicts } from "@/lib/sandbox/schema"
import { db } from "@/lib/platform/database/scoped-db"
import { shown } from "@/lib/platform/database/shape"
import { counted, sliceOf, type PageRequest } from "@/lib/platform/http/paging"
import { present } from "@/lib/platform/schema"
import type { Scope } from "@/lib/platform/http/scope"
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

/** Messages of the project's sandbox mailbox, newest first. */
export async function listMessages(
  scope: Scope,
  request: PageRequest,
): Promise<{ data: SandboxMessage[]; total: number }> {
  const { rows, total } = await counted(
    request,
    db(scope).sandboxMessage.findMany({ select: shape, orderBy: { id: "desc" }, ...sliceOf(request) }),
    () => db(scope).sandboxMessage.count(),
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
