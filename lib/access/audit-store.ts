import { insertAuditEntry, type AuditRow } from "@/lib/access/audit-sql"
import { unscoped, type Queryable } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"
import { encodeId, newId } from "@/lib/platform/ids"
import type { Scope } from "@/lib/platform/http/scope"
import { Prisma } from "@/prisma/generated/client"

/** Who did what to what: `action` is `<area>.<verb>`, `target` a public id, `changes` never holds a secret. */
export type AuditEntry = { action: string; target?: string; changes?: Record<string, unknown> }

/** Records what was done within a project; pass the transaction of the change, so that both or neither are stored. */
export async function addAudit(scope: Scope, entry: AuditEntry, on: Queryable | ScopedDb = db(scope)): Promise<void> {
  const { principal, project, request } = scope
  await insertInProject(on, project.id, {
    ...entry,
    organizationId: project.organizationId,
    actorKind: principal.kind === "key" ? "key" : "user",
    actorId: principal.kind === "key" ? principal.keyId : principal.userId,
    ip: request.ip,
    requestId: encodeId("req", request.id),
  })
}

/** Records what the recipient of an email did by a link in it. */
export async function addRecipientAudit(
  { projectId, ...at }: { organizationId: string; projectId: string; ip?: string },
  entry: AuditEntry,
  on: Queryable | ScopedDb = db({ project: { id: projectId } }),
): Promise<void> {
  await insertInProject(on, projectId, { ...entry, ...at, actorKind: "recipient" })
}

/** Records what the service itself did in a project. */
export async function addSystemAudit(
  { projectId, ...at }: { organizationId: string; projectId: string },
  entry: AuditEntry,
  on: Queryable | ScopedDb = db({ project: { id: projectId } }),
): Promise<void> {
  await insertInProject(on, projectId, { ...entry, ...at, actorKind: "system" })
}

/** Records what the service found out about an organization. */
export async function addOrganizationAudit(
  organizationId: string,
  entry: AuditEntry,
  on: Prisma.TransactionClient,
): Promise<void> {
  await insertAboveProjects(on, { ...entry, organizationId, actorKind: "system" })
}

/** Records what a user did above projects: joining an organization, adding a project. */
export async function addPersonAudit(
  { userId, ...at }: { organizationId: string; projectId?: string; userId: string; ip: string; requestId?: string },
  entry: AuditEntry,
  on: Prisma.TransactionClient = unscoped(),
): Promise<void> {
  await insertAboveProjects(on, { ...entry, ...at, actorKind: "user", actorId: userId })
}

/** Records what the operator did by a command on the machine. */
export async function addOperatorAudit(
  at: { organizationId: string; projectId?: string },
  entry: AuditEntry,
  on: Prisma.TransactionClient = unscoped(),
): Promise<void> {
  await insertAboveProjects(on, { ...entry, ...at, actorKind: "operator" })
}

async function insertInProject(on: Queryable | ScopedDb, projectId: string, row: AuditRow) {
  if ("query" in on) await insertAuditEntry(on, { ...row, projectId })
  else await on.auditEntry.createMany({ data: columnsOf(row) })
}

async function insertAboveProjects(on: Prisma.TransactionClient, row: AuditRow) {
  await on.auditEntry.createMany({ data: { ...columnsOf(row), projectId: row.projectId ?? null } })
}

function columnsOf({ organizationId, actorKind, action, changes, ...row }: AuditRow) {
  return {
    ...{ id: newId(), organizationId, actorKind, action },
    actorId: row.actorId ?? null,
    target: row.target ?? null,
    ip: row.ip ?? null,
    requestId: row.requestId ?? null,
    changes: changes ? jsonOf(changes) : Prisma.DbNull,
  }
}

/** As it will be read: without fields that are undefined, and with times as text. */
function jsonOf(changes: Record<string, unknown>): Prisma.InputJsonObject {
  return JSON.parse(JSON.stringify(changes)) as Prisma.InputJsonObject
}
