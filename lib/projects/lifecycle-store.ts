import { addAudit, type AuditEntry } from "@/lib/access/audit-store"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { unscopedTransaction } from "@/lib/platform/database/db"
import { removalOf, restorableSince } from "@/lib/platform/database/deleted-projects"
import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId } from "@/lib/platform/ids"
import type { Project } from "@/lib/projects/schema"
import { findProject } from "@/lib/projects/store"
import type { Prisma } from "@/prisma/generated/client"

type Step = {
  /** The state in which the project has to be. */
  from: Prisma.ProjectWhereInput
  to: Prisma.ProjectUpdateManyMutationInput
  entry: AuditEntry
}

/** Suspends an active project; answers the project, whether it was suspended now or before. */
export function suspend(scope: Scope, reason?: string): Promise<Project | null> {
  return change(scope, (now) => ({
    from: { suspendedAt: null, deletedAt: null },
    to: { suspendedAt: now, suspensionReason: reason ?? null },
    entry: { action: "project.suspended", ...(reason && { changes: { reason } }) },
  }))
}

export function resume(scope: Scope): Promise<Project | null> {
  return change(scope, () => ({
    from: { suspendedAt: { not: null }, deletedAt: null },
    to: { suspendedAt: null, suspensionReason: null },
    entry: { action: "project.resumed" },
  }))
}

/** Deletes a project in a way that can be undone for some days. */
export function remove(scope: Scope): Promise<Project | null> {
  return change(scope, (now) => ({
    from: { deletedAt: null },
    to: { deletedAt: now },
    entry: { action: "project.deleted", changes: { name: scope.project.name, removedAt: removalOf(now) } },
  }))
}

/** Null once the time to restore it is over: then it is being removed. */
export async function restore(scope: Scope): Promise<Project | null> {
  const project = await change(scope, (now) => ({
    from: { deletedAt: { gt: restorableSince(now) } },
    to: { deletedAt: null },
    entry: { action: "project.restored" },
  }))
  return project?.status === "deleting" ? null : project
}

/** Changes the state, by the database's clock, and records it; a project in another state is left as it is. */
async function change(scope: Scope, step: (now: Date) => Step): Promise<Project | null> {
  const { id } = scope.project
  await unscopedTransaction(async (tx) => {
    const { from, to, entry } = step(await databaseTime(tx))
    const { count } = await tx.project.updateMany({ where: { ...from, id }, data: to })
    if (count) await addAudit(scope, { target: encodeId("proj", id), ...entry }, db(scope, tx))
  })
  return findProject(scope)
}
