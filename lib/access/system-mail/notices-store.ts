import type { Notice } from "@/lib/access/system-mail/notices"
import { queueSystemMail } from "@/lib/access/system-mail/store"
import { systemMailExpiresAfterMs, systemRelay } from "@/lib/access/system-mail/system-mail"
import { unscopedTransaction } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"
import { env } from "@/lib/platform/env/env"
import { encodeId } from "@/lib/platform/ids"
import type { Prisma } from "@/prisma/generated/client"

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

/** Queues the notice for every owner; pass the transaction of the change. Without a mail server nothing is queued. */
export async function tellOwners(
  { id, organizationId, name }: Project,
  { notice, page }: Told,
  tx: Prisma.TransactionClient,
): Promise<void> {
  if (!systemRelay()) return
  const owners = await tx.member.findMany({
    where: { organizationId, role: "owner" },
    select: { user: { select: { email: true } } },
  })
  const url = `${env().baseUrl}/projects/${encodeId("proj", id)}/${page}`
  const expiresAt = new Date(Date.now() + systemMailExpiresAfterMs)
  for (const { user } of owners) await queueSystemMail({ ...notice, to: user.email, project: name, url }, expiresAt, tx)
}
