import { addPersonAudit } from "@/lib/access/audit-store"
import { addOrganization, type Founder } from "@/lib/access/people/organization-store"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { unscoped, unscopedTransaction } from "@/lib/platform/database/db"
import { takeLock } from "@/lib/platform/database/locks-sql"
import { encodeId, newId } from "@/lib/platform/ids"
import type { OrganizationScope, SessionPrincipal } from "@/lib/platform/http/scope"
import type { Project } from "@/lib/projects/schema"
import { limitReached } from "@/lib/projects/problems"
import { projectById } from "@/lib/projects/store"
import type { Prisma } from "@/prisma/generated/client"

type Tx = Prisma.TransactionClient

export type ProjectPlan = { organizationId: string; name: string; slug: string; region: string }

/** Adds a project with its full send allowance; null when the organization has one of that slug. */
export async function addProject(plan: ProjectPlan, tx: Tx): Promise<string | null> {
  const id = newId()
  const { count } = await tx.project.createMany({ data: { id, ...plan }, skipDuplicates: true })
  if (!count) return null
  await tx.sendAllowance.createMany({ data: { projectId: id } })
  return id
}

/** Adds a project to an organization in the scope; null when its slug is taken there. @throws limitReached */
export async function createProject(
  scope: OrganizationScope,
  by: SessionPrincipal,
  plan: ProjectPlan,
): Promise<Project | null> {
  const projectId = await unscopedTransaction(async (tx) => {
    await refuseTooMany(plan.organizationId, tx)
    const id = await addProject(plan, tx)
    if (!id) return null
    const { organizationId, ...changes } = plan
    const at = {
      organizationId,
      projectId: id,
      userId: by.userId,
      ip: scope.request.ip,
      requestId: encodeId("req", scope.request.id),
    }
    await addPersonAudit(at, { action: "project.created", target: encodeId("proj", id), changes }, tx)
    return id
  })
  return projectId === null ? null : projectById(projectId)
}

/** Projects that wait to be removed count: they still have what they stored. */
async function refuseTooMany(organizationId: string, tx: Tx): Promise<void> {
  await takeLock(`mailroom.projects ${organizationId}`, tx)
  const { maxProjects } = await tx.organization.findUniqueOrThrow({
    where: { id: organizationId },
    select: { maxProjects: true },
  })
  if ((await tx.project.count({ where: { organizationId } })) < maxProjects) return
  throw limitReached(
    `The organization has ${maxProjects} projects, which is its limit. Deleted projects count until they are removed. The operator can raise it with set-limits --projects.`,
  )
}

export type Founding = Founder & { project: Omit<ProjectPlan, "organizationId"> }
export type Founded = { userId: string; organizationId: string; projectId: string }

/** Adds an owner, their organization and its first project, all or none; null when the address has an account. */
export function found(founding: Founding): Promise<Founded | null> {
  return unscopedTransaction((tx) => foundIn(founding, tx))
}

export async function foundIn({ project, ...founder }: Founding, tx: Tx): Promise<Founded | null> {
  const added = await addOrganization(founder, tx)
  if (!added) return null
  const projectId = await addProject({ ...project, organizationId: added.organizationId }, tx)
  if (!projectId) throw new Error("A new organization already has a project of that slug.")
  await completeSetUp(tx)
  return { ...added, projectId }
}

/** Marks the set-up as complete, unless it was before; its link no longer works. */
async function completeSetUp(tx: Tx): Promise<void> {
  const id = 1
  await tx.installation.createMany({ data: { id }, skipDuplicates: true })
  await tx.installation.updateMany({ where: { id, completedAt: null }, data: { completedAt: await databaseTime(tx) } })
  await tx.installation.updateMany({ where: { id }, data: { setupTokenHash: null } })
}

/** True until the set-up is complete, if this is the hash of the token that was printed last. */
export async function setUpIsOpen(tokenHash: Buffer, on: Tx = unscoped()): Promise<boolean> {
  const where = { id: 1, completedAt: null, setupTokenHash: new Uint8Array(tokenHash) }
  return (await on.installation.findUnique({ where, select: { id: true } })) !== null
}

/** Completes the set-up, once: parallel calls wait for each other, and the second finds it complete. */
export async function setUpOnce(tokenHash: Buffer, founding: Founding): Promise<Founded | null> {
  return unscopedTransaction(async (tx) => {
    await takeLock("mailroom.set_up", tx)
    return (await setUpIsOpen(tokenHash, tx)) ? foundIn(founding, tx) : null
  })
}

/** Deletes the projects of an organization and all that belongs to them. */
export async function deleteProjectsOf(organizationId: string): Promise<void> {
  await unscoped().project.deleteMany({ where: { organizationId } })
}
