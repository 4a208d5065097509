import { dayMs } from "@/lib/platform/time"
import { addPersonAudit, type NewAuditEntry } from "@/lib/access/audit/data"
import { addOrganization, type Founder, setOperator } from "@/lib/access/people/data"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { unscoped, unscopedTransaction } from "@/lib/platform/database/db"
import { takeLock } from "@/lib/platform/database/locks-sql"
import { encodeId } from "@/lib/platform/ids"
import { addProject, type ProjectPlan } from "@/lib/projects/data"
import type { Prisma } from "@/prisma/generated/client"

/** What was used of a disk at an instant, in bytes. */
type DiskUse = { at: Date; usedBytes: number }

/** By a shorter time nothing is foretold: one large import would be growth. */
const judgedFromMs = dayMs
const rememberedMs = 7 * dayMs

/** The days until the disk is full at the rate since an earlier use; null while it does not grow, or nobody can say. */
export function daysLeft(before: DiskUse | null, now: DiskUse, freeBytes: number): number | null {
  if (!before) return null
  const passed = now.at.getTime() - before.at.getTime()
  const grown = now.usedBytes - before.usedBytes
  if (passed < judgedFromMs || grown <= 0) return null
  return Math.floor((freeBytes * passed) / grown / dayMs)
}

/**
 * What is remembered from now on; null if that stays as it is. An earlier use that is a week old moves half way along the line
 * to the one of now, so that growth is always that of some days.
 */
export function remembered(before: DiskUse | null, now: DiskUse): DiskUse | null {
  if (!before) return now
  if (now.at.getTime() - before.at.getTime() < rememberedMs) return null
  return {
    at: new Date((before.at.getTime() + now.at.getTime()) / 2),
    usedBytes: (before.usedBytes + now.usedBytes) / 2,
  }
}

type Tx = Prisma.TransactionClient

type Founding = Founder & { project: Omit<ProjectPlan, "organizationId"> }
export type Founded = { userId: string; organizationId: string; projectId: string }

/**
 * Adds an owner, their organization and its first project, all or none; null when the address has an account. Whom the set-up
 * ends with runs the installation.
 */
export function found(founding: Founding): Promise<Founded | null> {
  return unscopedTransaction((tx) => foundIn(founding, tx))
}

export async function foundIn({ project, ...founder }: Founding, tx: Tx): Promise<Founded | null> {
  const added = await addOrganization(founder, tx)
  if (!added) return null
  const projectId = await addProject({ ...project, organizationId: added.organizationId }, tx)
  if (!projectId) throw new Error("A new organization already has a project of that slug.")
  if (await completeSetUp(tx)) await setOperator(added.userId, true, tx)
  return { ...added, projectId }
}

/** Marks the set-up as complete; false if it was before. Its link no longer works. */
async function completeSetUp(tx: Tx): Promise<boolean> {
  const id = 1
  await tx.installation.createMany({ data: { id }, skipDuplicates: true })
  const completedAt = await databaseTime(tx)
  // The row is locked by the founding that completes it alone: those after it do not wait for each other.
  const data = { completedAt, setupTokenHash: null }
  const { count } = await tx.installation.updateMany({ where: { id, completedAt: null }, data })
  return count > 0
}

/** True until the set-up is complete, if this is the hash of the token that was printed last. */
export async function setUpIsOpen(tokenHash: Buffer, on: Tx = unscoped()): Promise<boolean> {
  const where = { id: 1, completedAt: null, setupTokenHash: new Uint8Array(tokenHash) }
  return (await on.installation.findUnique({ where, select: { id: true } })) !== null
}

/** Completes the set-up, once: parallel calls wait for each other, and the second finds it complete. */
export async function setUpOnce(
  tokenHash: Buffer,
  founding: Founding,
  from: { ip: string; requestId: string },
): Promise<Founded | null> {
  return unscopedTransaction(async (tx) => {
    await takeLock("mailroom.set_up", tx)
    const founded = (await setUpIsOpen(tokenHash, tx)) ? await foundIn(founding, tx) : null
    if (founded) await auditFounding(founding, { ...founded, ...from }, tx)
    return founded
  })
}

/** The owner's first entries: themselves, their organization and its first project. */
async function auditFounding(
  { email, organization, project: { name, ...project } }: Founding,
  { projectId, ...by }: Founded & { ip: string; requestId: string },
  tx: Tx,
) {
  const { organizationId, userId } = by
  const entries: NewAuditEntry[] = [
    { action: "installation.set_up" },
    { action: "organization.created", target: encodeId("org", organizationId), name: organization },
    { action: "member.joined", target: encodeId("usr", userId), name: email, changes: { role: "owner" } },
  ]
  for (const entry of entries) await addPersonAudit(by, entry, tx)
  const created = { action: "project.created", target: encodeId("proj", projectId), name, changes: project } as const
  await addPersonAudit({ ...by, projectId }, created, tx)
}

/** What an installation remembers of itself. */
type InstallationMemory = { backedUpAt: Date | null; disk: DiskUse | null }

export async function installationMemory(): Promise<InstallationMemory> {
  const select = { backedUpAt: true, diskAt: true, diskUsed: true } as const
  const row = await unscoped().installation.findUnique({ where: { id: 1 }, select })
  const { backedUpAt = null, diskAt = null, diskUsed = null } = row ?? {}
  return { backedUpAt, disk: diskAt && diskUsed !== null ? { at: diskAt, usedBytes: Number(diskUsed) } : null }
}

export async function rememberBackup(at: Date): Promise<void> {
  await remember({ backedUpAt: at })
}

export async function rememberDisk({ at, usedBytes }: DiskUse): Promise<void> {
  await remember({ diskAt: at, diskUsed: BigInt(Math.round(usedBytes)) })
}

async function remember(data: { backedUpAt: Date } | { diskAt: Date; diskUsed: bigint }): Promise<void> {
  await unscoped().installation.upsert({ where: { id: 1 }, create: { id: 1, ...data }, update: data })
}
