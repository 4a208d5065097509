import { addAudit } from "@/lib/access/audit-store"
import { keyPrefix, type NewKey } from "@/lib/access/credentials/keys"
import { permissionMap } from "@/lib/access/permissions"
import type { ApiKey } from "@/lib/api-keys/schema"
import { encodeId, newId } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"
import type { Scope } from "@/lib/platform/http/scope"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { lockProject } from "@/lib/platform/database/locks-sql"
import { db } from "@/lib/platform/database/scoped-db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"
import { shown } from "@/lib/platform/database/shape"
import type { Prisma } from "@/prisma/generated/client"

const shape = {
  id: true,
  projectId: true,
  name: true,
  hash: false,
  start: true,
  permissions: true,
  expiresAt: true,
  revokedAt: true,
  lastRequestAt: true,
  requestCount: true,
  createdBy: false,
  createdAt: true,
  updatedAt: true,
  replacesId: false,
} as const satisfies Record<Prisma.ApiKeyScalarFieldEnum, boolean>

type Row = Prisma.ApiKeyGetPayload<{ select: typeof shape }>

/** Neither revoked nor expired at the database's time. */
export function liveAt(now: Date) {
  return { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] }
}

/** Every key the project ever had, newest first. There are few: the project's limit counts the live ones. */
export async function listKeys(scope: Scope): Promise<ApiKey[]> {
  const [rows, now] = await Promise.all([
    db(scope).apiKey.findMany({ select: shape, orderBy: { id: "desc" } }),
    databaseTime(),
  ])
  return rows.map((row) => toKey(scope, row, now))
}

export async function findKey(scope: Scope, keyId: string): Promise<ApiKey | null> {
  const [row, now] = await Promise.all([
    db(scope).apiKey.findUnique({ where: { id: keyId }, select: shape }),
    databaseTime(),
  ])
  return row && toKey(scope, row, now)
}

type Issue = { name: string; permissions: readonly string[]; expiresAt?: Date; createdBy: string }

/**
 * Adds a key unless as many live ones exist as the project may have: the answer is then that limit. Parallel calls wait
 * for each other at the project's row, so that the limit is exact.
 */
export async function issueKey(scope: Scope, issue: Issue, key: NewKey): Promise<ApiKey | { limit: number }> {
  return db(scope).$transaction(async (tx) => {
    const { limit, left } = await roomForKeys(scope, tx)
    if (left < 1) return { limit }
    const added = await insertKey(scope, issue, key, tx)
    const { name, permissions, expiresAt } = issue
    const changes = { name, permissions, start: key.start, expiresAt }
    await addAudit(scope, { action: "api_key.created", target: encodeId("key", added.id), changes }, tx)
    return added
  })
}

/** How many more live keys the project may have, behind the lock of its row. */
export async function roomForKeys(scope: Scope, tx: ScopedDb): Promise<{ limit: number; left: number }> {
  const limit = (await lockProject(scope, tx))?.maxApiKeys ?? 0
  // A separate statement, because it must see what the previous holder of the lock has added.
  const used = await tx.apiKey.count({ where: liveAt(await databaseTime(tx)) })
  return { limit, left: limit - used }
}

export type KeyPlan = {
  name?: string | null
  permissions: readonly string[]
  expiresAt?: Date | null
  createdBy?: string
  replacesId?: string
}

/** Stores a new key by its hash; the secret itself is never stored. */
export async function insertKey(scope: Scope, plan: KeyPlan, key: NewKey, tx: ScopedDb): Promise<ApiKey> {
  const row = await tx.apiKey.create({
    data: {
      ...plan,
      id: newId(),
      permissions: [...plan.permissions],
      hash: new Uint8Array(key.hash),
      start: key.start,
    },
    select: shape,
  })
  return toKey(scope, row, row.createdAt)
}

type OperatorsKey = { projectId: string; name: string; permissions: readonly string[] }

/** Adds a key for the operator, who has no scope and is bound by no limit. */
export async function addKey(
  { projectId, name, permissions }: OperatorsKey,
  key: NewKey,
  on: ScopedDb = db({ project: { id: projectId } }),
): Promise<string> {
  const id = newId()
  await on.apiKey.createMany({
    data: { id, name, permissions: [...permissions], hash: new Uint8Array(key.hash), start: key.start },
  })
  return id
}

/** Revokes a key; false when the project has no such live key. Takes effect within 1 s in every process. */
export async function revokeKey(scope: Scope, keyId: string): Promise<boolean> {
  return db(scope).$transaction(async (tx) => {
    const [revoked] = await tx.apiKey.updateManyAndReturn({
      where: { id: keyId, revokedAt: null },
      data: { revokedAt: await databaseTime(tx) },
      select: { name: true, start: true },
    })
    if (!revoked) return false
    await addAudit(scope, { action: "api_key.revoked", target: encodeId("key", keyId), changes: revoked }, tx)
    return true
  })
}

function toKey(scope: Scope, { lastRequestAt, revokedAt, ...row }: Row, now: Date): ApiKey {
  return shown<ApiKey>()({
    ...row,
    configId: "default",
    name: present(row.name),
    prefix: keyPrefix,
    organizationId: scope.project.organizationId,
    permissions: permissionMap(row.permissions),
    enabled: revokedAt === null && (row.expiresAt === null || row.expiresAt > now),
    rateLimitEnabled: true,
    rateLimitMax: undefined,
    rateLimitTimeWindow: undefined,
    remaining: undefined,
    metadata: undefined,
    lastRequest: present(lastRequestAt),
    expiresAt: present(row.expiresAt),
  })
}
