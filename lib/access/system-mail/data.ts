import { addNotice } from "@/lib/access/notices/data"
import {
  type AccountChange,
  contentPurpose,
  type Notice,
  type OperatorNotice,
  type SystemMail,
  systemMailExpiresAfterMs,
  systemRelay,
  storedUndeliveredText,
  type UndeliveredReason,
} from "@/lib/access/system-mail/system-mail"
import { open, seal } from "@/lib/platform/crypto"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { unscoped, unscopedTransaction } from "@/lib/platform/database/db"
import { db, type ScopedDb } from "@/lib/platform/database/scoped-db"
import { env } from "@/lib/platform/env/env"
import { encodeId, newId } from "@/lib/platform/ids"
import { claimRows } from "@/lib/platform/jobs/leases-sql"
import type { Prisma } from "@/prisma/generated/client"

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

/** Tells somebody of a change of how they sign in. Without a mail server nothing is queued. */
export async function tellOfAccount(
  about: { to: string; change: AccountChange; ip?: string },
  tx: Prisma.TransactionClient = unscoped(),
): Promise<void> {
  if (!systemRelay()) return
  const at = (await databaseTime(tx)).toISOString()
  await queueSystemMail({ kind: "account-changed", ...about, at }, new Date(Date.now() + systemMailExpiresAfterMs), tx)
}

/** Drops those queued up to `until`, the time of a backup: they may have been sent after it. */
export async function dropSystemMails(until: Date): Promise<void> {
  await unscoped().systemMail.deleteMany({ where: { createdAt: { lte: until } } })
}

/** System mail that this worker holds until its lease ends. */
export type ClaimedSystemMail = { id: string; attempts: number; createdAt: Date; expired: boolean; mail: SystemMail }

/** Claims up to `limit` due system mails for `leaseMs`; those of a worker that dies are due again when the lease ends. */
export async function claimSystemMails(limit: number, leaseMs: number): Promise<ClaimedSystemMail[]> {
  type Row = { id: string; attempts: number; createdAt: Date; expired: boolean; content: Buffer }
  const rows = await claimRows<Row>("system_mails", {
    ...{ limit, leaseMs, set: "attempts = attempts + 1" },
    returning: `id, attempts, created_at AS "createdAt", expires_at <= now() AS expired, content`,
  })
  return rows.map(({ content, ...row }) => ({
    ...row,
    mail: JSON.parse(open(content, contentPurpose(row.id)).toString()) as SystemMail,
  }))
}

/** Extends the leases; returns the ids that the same attempt still holds. */
export async function extendMailLeases(held: readonly ClaimedSystemMail[], leaseMs: number): Promise<Set<string>> {
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
  { code: reason, facts: reasonFacts }: UndeliveredReason,
): Promise<void> {
  const inviteId = mail.kind === "invite" ? (mail.inviteId ?? null) : null
  await unscopedTransaction(async (tx) => {
    const { count } = await tx.systemMail.deleteMany({ where: { id, attempts } })
    if (!count) return
    await tx.undeliveredSystemMail.createMany({
      data: {
        ...{ id, kind: mail.kind, inviteId, queuedAt: createdAt, reason, reasonFacts },
        recipient: new Uint8Array(seal(mail.to, purposeOf(id))),
      },
    })
  })
}

export type UndeliveredMail = { kind: SystemMail["kind"]; to: string; reason: string; queuedAt: Date; failedAt: Date }
const shownMax = 200

/** The last mails that could not be delivered, newest first. */
export async function listUndeliveredMail(): Promise<UndeliveredMail[]> {
  const rows = await unscoped().undeliveredSystemMail.findMany({
    select: { id: true, kind: true, recipient: true, reason: true, reasonFacts: true, queuedAt: true, failedAt: true },
    orderBy: [{ failedAt: "desc" }, { id: "desc" }],
    take: shownMax,
  })
  return rows.map(({ id, recipient, kind, reason, reasonFacts, ...row }) => ({
    kind: kindOf(kind),
    to: open(Buffer.from(recipient), purposeOf(id)).toString(),
    reason: storedUndeliveredText(reason, reasonFacts),
    ...row,
  }))
}

/** Why the emails of these invites were not delivered, by invite. */
export async function undeliveredInvites(inviteIds: string[]): Promise<Map<string, string>> {
  const rows = await unscoped().undeliveredSystemMail.findMany({
    where: { inviteId: { in: inviteIds } },
    select: { inviteId: true, reason: true, reasonFacts: true },
  })
  return new Map(
    rows.flatMap(({ inviteId, reason, reasonFacts }) =>
      inviteId ? [[inviteId, storedUndeliveredText(reason, reasonFacts)] as const] : [],
    ),
  )
}

/** `giveUpSystemMail` alone writes it. */
function kindOf(kind: string): SystemMail["kind"] {
  return kind as SystemMail["kind"]
}

function purposeOf(id: string): string {
  return `undelivered_system_mails|recipient|${id}|`
}

// Notices to owners

type Project = { id: string; organizationId: string; name: string }

/** A notice, and the page of the project at which its email points. */
type Told = { notice: Notice; page: string }

const shape = { id: true, organizationId: true, name: true } as const

/**
 * Changes something of a project and tells the owners of its organization, both or neither. `change` answers what to tell, or
 * null where nothing changed.
 */
export async function changeAndTell(
  projectId: string,
  change: (tx: ScopedDb, project: Project) => Promise<Told | null>,
): Promise<void> {
  await unscopedTransaction(async (tx) => {
    const project = await tx.project.findUnique({ where: { id: projectId }, select: shape })
    const told = project && (await change(db({ project: { id: projectId } }, tx), project))
    if (told) await tellOwners(project, told, tx)
  })
}

/** A project whose owners get notifications; null if it is suspended or deleted. */
export function projectToTell(projectId: string, tx: Prisma.TransactionClient): Promise<Project | null> {
  return tx.project.findUnique({ where: { id: projectId, suspendedAt: null, deletedAt: null }, select: shape })
}

/**
 * Records the notice for the dashboard and the project's chat, and queues it for every owner; pass the transaction of the change.
 * Without a mail server nothing is queued.
 */
export async function tellOwners(
  { id, organizationId, name }: Project,
  { notice, page }: Told,
  tx: Prisma.TransactionClient,
): Promise<void> {
  await addNotice(id, notice, page, tx)
  if (!systemRelay()) return
  const owners = await tx.member.findMany({
    where: { organizationId, role: "owner" },
    select: { user: { select: { email: true } } },
  })
  const url = `${env().baseUrl}/projects/${encodeId("proj", id)}/${page}`
  const expiresAt = new Date(Date.now() + systemMailExpiresAfterMs)
  for (const { user } of owners) await queueSystemMail({ ...notice, to: user.email, project: name, url }, expiresAt, tx)
}

// Notices to operators

/** Queues the notice for everybody who runs the installation; `page` is the one about it. Without a mail server nothing is queued. */
export async function tellOperators(notice: OperatorNotice, page: string): Promise<void> {
  if (!systemRelay()) return
  const expiresAt = new Date(Date.now() + systemMailExpiresAfterMs)
  for (const { email, projectId } of await operatorsToTell()) {
    const path = projectId === undefined ? "" : `/projects/${encodeId("proj", projectId)}/${page}`
    await queueSystemMail({ ...notice, to: email, url: `${env().baseUrl}${path}` }, expiresAt)
  }
}

/** Who runs the installation; pages of the operator are below a project that they can open. */
async function operatorsToTell(): Promise<{ email: string; projectId: string | undefined }[]> {
  const project = { where: { deletedAt: null }, select: { id: true }, orderBy: { id: "asc" }, take: 1 } as const
  const users = await unscoped().user.findMany({
    where: { operatorSince: { not: null } },
    select: { email: true, memberships: { select: { organization: { select: { projects: project } } }, take: 20 } },
    orderBy: { id: "asc" },
    take: 100,
  })
  return users.map(({ email, memberships }) => {
    return { email, projectId: memberships.flatMap(({ organization }) => organization.projects)[0]?.id }
  })
}
