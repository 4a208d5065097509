import { rowsOf, type Connection } from "@/lib/platform/database/connection"
import { pool } from "@/lib/platform/database/db"
import { encodeId, newId } from "@/lib/platform/ids"
import type { Scope } from "@/lib/platform/http/scope"
import { Prisma } from "@/prisma/generated/client"

/** Who did what to what: `action` is `<area>.<verb>`, `target` a public id, `changes` never holds a secret. */
export type AuditEntry = { action: string; target?: string; changes?: Record<string, unknown> }

/** Records what was done within a project; pass the transaction of the change itself, so that both or neither are stored. */
export async function addAudit(scope: Scope, entry: AuditEntry, on: Connection = pool()): Promise<void> {
  const { principal, project, request } = scope
  const actorId = principal.kind === "key" ? principal.keyId : principal.userId
  await insert(on, {
    ...entry,
    organizationId: project.organizationId,
    projectId: project.id,
    actor: { kind: principal.kind === "key" ? "key" : "user", id: actorId },
    ip: request.ip,
    requestId: encodeId("req", request.id),
  })
}

/** What a person did above projects: joining an organization, making a project. */
export async function addPersonAudit(
  at: { organizationId: string; projectId?: string; userId: string; ip: string; requestId?: string },
  entry: AuditEntry,
  on: Connection = pool(),
): Promise<void> {
  const { userId, ...where } = at
  await insert(on, { ...entry, ...where, actor: { kind: "user", id: userId } })
}

/** What the recipient of a mail did by a link in it. */
export async function addRecipientAudit(
  at: { organizationId: string; projectId: string; ip?: string },
  entry: AuditEntry,
  on: Connection = pool(),
): Promise<void> {
  await insert(on, { ...entry, ...at, actor: { kind: "recipient" } })
}

/** What the operator did by a command on the machine. */
export async function addOperatorAudit(
  at: { organizationId: string; projectId?: string },
  entry: AuditEntry,
  on: Connection = pool(),
): Promise<void> {
  await insert(on, { ...entry, ...at, actor: { kind: "operator" } })
}

type Row = AuditEntry & {
  organizationId: string
  projectId?: string
  actor: { kind: string; id?: string }
  ip?: string
  requestId?: string
}

/** Raw, because callers are in transactions of `pg`, of Prisma within a project and of Prisma above them. */
async function insert(on: Connection, row: Row) {
  const changes = row.changes ? JSON.stringify(row.changes) : null
  await rowsOf(
    on,
    Prisma.sql`INSERT INTO audit_entries
        (id, organization_id, project_id, actor_kind, actor_id, action, target, changes, ip, request_id)
      VALUES (${newId()}::uuid, ${row.organizationId}::uuid, ${row.projectId ?? null}::uuid, ${row.actor.kind},
        ${row.actor.id ?? null}::uuid, ${row.action}, ${row.target ?? null}, ${changes}::jsonb, ${row.ip ?? null},
        ${row.requestId ?? null})`,
  )
}
