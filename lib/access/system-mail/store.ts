import type { ClaimedSystemMail } from "@/lib/access/system-mail/queue-sql"
import type { SystemMail } from "@/lib/access/system-mail/system-mail"
import { open, seal } from "@/lib/platform/crypto"
import { unscoped, unscopedTransaction } from "@/lib/platform/database/db"
import { cutText } from "@/lib/platform/text"

export type UndeliveredMail = { kind: SystemMail["kind"]; to: string; reason: string; queuedAt: Date; failedAt: Date }

const reasonCharsMax = 300
const shownMax = 200

/** Deletes a mail that was sent, or that has no recipient any more. */
export async function forgetSystemMail({ id, attempts }: ClaimedSystemMail): Promise<void> {
  await unscoped().systemMail.deleteMany({ where: { id, attempts } })
}

/** Gives a mail up: the operator can see its recipient and the reason, its content is deleted. */
export async function giveUpSystemMail(
  { id, attempts, createdAt, mail }: ClaimedSystemMail,
  reason: string,
): Promise<void> {
  const inviteId = mail.kind === "invite" ? (mail.inviteId ?? null) : null
  await unscopedTransaction(async (tx) => {
    const { count } = await tx.systemMail.deleteMany({ where: { id, attempts } })
    if (!count) return
    await tx.undeliveredSystemMail.createMany({
      data: {
        ...{ id, kind: mail.kind, inviteId, queuedAt: createdAt },
        recipient: new Uint8Array(seal(mail.to, purposeOf(id))),
        reason: cutText(reason, reasonCharsMax),
      },
    })
  })
}

/** The last mails that could not be delivered, newest first. */
export async function listUndeliveredMail(): Promise<UndeliveredMail[]> {
  const rows = await unscoped().undeliveredSystemMail.findMany({
    select: { id: true, kind: true, recipient: true, reason: true, queuedAt: true, failedAt: true },
    orderBy: [{ failedAt: "desc" }, { id: "desc" }],
    take: shownMax,
  })
  return rows.map(({ id, recipient, kind, ...row }) => ({
    kind: kindOf(kind),
    to: open(Buffer.from(recipient), purposeOf(id)).toString(),
    ...row,
  }))
}

/** Why the emails of these invites were not delivered, by invite. */
export async function undeliveredInvites(inviteIds: string[]): Promise<Map<string, string>> {
  const rows = await unscoped().undeliveredSystemMail.findMany({
    where: { inviteId: { in: inviteIds } },
    select: { inviteId: true, reason: true },
  })
  return new Map(rows.flatMap(({ inviteId, reason }) => (inviteId ? [[inviteId, reason] as const] : [])))
}

/** `giveUpSystemMail` alone writes it. */
function kindOf(kind: string): SystemMail["kind"] {
  return kind as SystemMail["kind"]
}

function purposeOf(id: string): string {
  return `undelivered_system_mails|recipient|${id}|`
}
