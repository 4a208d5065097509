import type { Queryable } from "@/lib/platform/database/db"
import { prepared } from "@/lib/platform/database/prepared"
import { newId } from "@/lib/platform/ids"

export type AuditRow = {
  organizationId: string
  projectId?: string
  actorKind: "key" | "user" | "recipient" | "operator" | "system"
  actorId?: string
  action: string
  target?: string
  changes?: Record<string, unknown>
  ip?: string
  requestId?: string
}

const insertion = `INSERT INTO audit_entries
    (id, organization_id, project_id, actor_kind, actor_id, action, target, changes, ip, request_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`

/** On `pg`, for changes that are written in a transaction of `pg`. */
export async function insertAuditEntry(on: Queryable, row: AuditRow): Promise<void> {
  await on.query(
    prepared(insertion, [
      newId(),
      row.organizationId,
      row.projectId ?? null,
      row.actorKind,
      row.actorId ?? null,
      row.action,
      row.target ?? null,
      row.changes ? JSON.stringify(row.changes) : null,
      row.ip ?? null,
      row.requestId ?? null,
    ]),
  )
}
