import { addAudit } from "@/lib/access/audit-store"
import { KEY_PREFIX, type NewKey } from "@/lib/access/credentials/keys"
import { permissionMap } from "@/lib/access/permissions"
import { pool, transaction, type Queryable } from "@/lib/platform/database/db"
import { encodeId, newId } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"
import type { Scope } from "@/lib/platform/http/scope"
import type { ApiKey } from "@/lib/api-keys/schema"

const COLUMNS = `k.id, k.project_id, k.name, k.start, k.permissions, k.expires_at, k.last_request_at, k.request_count, k.created_at,
  k.updated_at, k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AS enabled`

/** Every key the project ever had, newest first. There are few: the project's limit counts the live ones. */
export async function listKeys(scope: Scope): Promise<ApiKey[]> {
  const { rows } = await pool().query<Row>(
    `SELECT ${COLUMNS} FROM api_keys k WHERE k.project_id = $1 ORDER BY k.id DESC`,
    [scope.project.id],
  )
  return rows.map((row) => toKey(scope, row))
}

export async function findKey(scope: Scope, keyId: string): Promise<ApiKey | null> {
  const { rows } = await pool().query<Row>(`SELECT ${COLUMNS} FROM api_keys k WHERE k.project_id = $1 AND k.id = $2`, [
    scope.project.id,
    keyId,
  ])
  return rows[0] ? toKey(scope, rows[0]) : null
}

type Issue = { name: string; permissions: readonly string[]; expiresAt?: Date; createdBy: string }

/**
 * Adds a key unless as many live ones exist as the project may have: the answer is then that limit. Parallel calls wait
 * for each other at the project's row, so that the limit is exact.
 */
export async function issueKey(scope: Scope, issue: Issue, key: NewKey): Promise<ApiKey | { limit: number }> {
  return transaction(async (client) => {
    const { limit, left } = await roomForKeys(scope, client)
    if (left < 1) return { limit }
    const id = await addKey({ ...issue, projectId: scope.project.id }, key, client)
    const changes = { name: issue.name, permissions: issue.permissions, start: key.start, expiresAt: issue.expiresAt }
    await addAudit(scope, { action: "api_key.created", target: encodeId("key", id), changes }, client)
    return keyById(scope, id, client)
  })
}

/** How many more live keys the project may have, behind the lock of its row. */
export async function roomForKeys(scope: Scope, client: Queryable): Promise<{ limit: number; left: number }> {
  const { rows } = await client.query<{ limit: number }>(
    "SELECT max_api_keys AS limit FROM projects WHERE id = $1 FOR NO KEY UPDATE",
    [scope.project.id],
  )
  const limit = rows[0]?.limit ?? 0
  // A statement of its own: it must see what the holder of the lock before us has added.
  const live = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM api_keys
      WHERE project_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
    [scope.project.id],
  )
  return { limit, left: limit - (live.rows[0]?.count ?? 0) }
}

/** A key that was just added, on the connection that added it. */
export async function keyById(scope: Scope, keyId: string, client: Queryable): Promise<ApiKey> {
  const { rows } = await client.query<Row>(`SELECT ${COLUMNS} FROM api_keys k WHERE k.id = $1`, [keyId])
  return toKey(scope, rows[0] as Row)
}

/** Ends a key; false when the project has no such live key. Holds within 1 s on every process. */
export async function revokeKey(scope: Scope, keyId: string): Promise<boolean> {
  return transaction(async (client) => {
    const { rows } = await client.query<{ name: string | null; start: string }>(
      `UPDATE api_keys SET revoked_at = now() WHERE project_id = $1 AND id = $2 AND revoked_at IS NULL
        RETURNING name, start`,
      [scope.project.id, keyId],
    )
    if (!rows[0]) return false
    await addAudit(scope, { action: "api_key.revoked", target: encodeId("key", keyId), changes: rows[0] }, client)
    return true
  })
}

export type KeyPlan = {
  projectId: string
  name?: string
  permissions: readonly string[]
  expiresAt?: Date
  createdBy?: string
}

/** Stores a key by its hash; the secret itself is never kept. */
export async function addKey(plan: KeyPlan, key: NewKey, on: Queryable = pool()): Promise<string> {
  const id = newId()
  await on.query(
    `INSERT INTO api_keys (id, project_id, name, hash, start, permissions, expires_at, created_by)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      id,
      plan.projectId,
      plan.name ?? null,
      key.hash,
      key.start,
      plan.permissions,
      plan.expiresAt ?? null,
      plan.createdBy ?? null,
    ],
  )
  return id
}

type Row = {
  id: string
  project_id: string
  name: string | null
  start: string
  permissions: string[]
  expires_at: Date | null
  last_request_at: Date | null
  request_count: number
  created_at: Date
  updated_at: Date
  enabled: boolean
}

function toKey(scope: Scope, row: Row): ApiKey {
  return {
    id: row.id,
    configId: "default",
    name: present(row.name),
    prefix: KEY_PREFIX,
    start: row.start,
    organizationId: scope.project.organizationId,
    projectId: row.project_id,
    permissions: permissionMap(row.permissions),
    enabled: row.enabled,
    rateLimitEnabled: true,
    requestCount: row.request_count,
    lastRequest: present(row.last_request_at),
    expiresAt: present(row.expires_at),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
