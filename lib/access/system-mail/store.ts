import type { ClaimedSystemMail } from "@/lib/access/system-mail/queue-sql"
import { contentPurpose, type SystemMail } from "@/lib/access/system-mail/system-mail"
import { open, seal } from "@/lib/platform/crypto"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { unscoped, unscopedTransaction } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"
import { cutText } from "@/lib/platform/text"
import type { Prisma } from "@/prisma/generated/client"

export type UndeliveredMail = { kind: SystemMail["kind"]; to: string; reason: string; queuedAt: Date; failedAt: Date }

const reasonCharsMax = 300
const shownMax = 200

/** Queues system mail; it is dropped unsent after `expiresAt`. */
export async function queueSystemMail(
  mail: SystemMail,
  expiresAt: Date,
  on: Prisma.TransactionClient = unscoped(),
): Promise<void> {
  const id = newId()
  const content = new Uint8Array(seal(JSON.stringify(mail), contentPurpose(id)))
  // The database's time is rounded to a millisecond, perhaps to one that has not come yet: the mail is due at once.
  const dueAt = later(await databaseTime(on), -1)
  await on.systemMail.createMany({ data: { id, content, dueAt, expiresAt } })
}

/** Extends the leases; returns the ids that the same attempt still holds. */
export async function extendLeases(held: readonly ClaimedSystemMail[], leaseMs: number): Promise<Set<string>> {
  const rows = await unscoped().systemMail.updateManyAndReturn({
    where: { OR: held.map(({ id, attempts }) => ({ id, attempts })) },
    data: { dueAt: later(await databaseTime(), leaseMs) },
    select: { id: true },
  })
  return new Set(rows.map(({ id }) => id))
}

/** Retries the mail after this number of seconds. */
export async function deferSystemMail({ id, attempts }: ClaimedSystemMail, seconds: number): Promise<void> {
  const data = { dueAt: later(await databaseTime(), seconds * 1_000) }
  await unscoped().systemMail.updateMany({ where: { id, attempts }, data })
}

function later(time: Date, ms: number): Date {
  return new Date(time.getTime() + ms)
}

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
