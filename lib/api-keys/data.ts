import { addAudit } from "@/lib/access/audit/data"
import { keyPrefix, type NewKey } from "@/lib/access/credentials/keys"
import { type Permission, permissionMap } from "@/lib/access/permissions"
import { beyond, type RestrictedTo, type RotatedKey } from "@/lib/api-keys/rules"
import type { ApiKey } from "@/lib/api-keys/schema"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { lockProject } from "@/lib/platform/database/locks-sql"
import { db, type InProject, type ScopedDb } from "@/lib/platform/database/scoped-db"
import { shown } from "@/lib/platform/database/shape"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId, newId } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"
import { hourMs } from "@/lib/platform/time"
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
  allowedAddresses: true,
  allowedDomains: true,
  addressesChangedAt: false,
} as const satisfies Record<Prisma.ApiKeyScalarFieldEnum, boolean>

type Row = Prisma.ApiKeyGetPayload<{ select: typeof shape }>

/** Neither revoked nor expired at the database's time. */
function liveAt(now: Date) {
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

type Issue = Partial<RestrictedTo> & {
  name: string
  permissions: readonly string[]
  expiresAt?: Date
  createdBy: string
}

/**
 * Adds a key unless as many live ones exist as the project may have: the answer is then that limit. Parallel calls wait
 * for each other at the project's row, so that the limit is exact.
 */
export async function issueKey(scope: Scope, issue: Issue, key: NewKey): Promise<ApiKey | { limit: number }> {
  return db(scope).$transaction(async (tx) => {
    const { limit, left } = await roomForKeys(scope, tx)
    if (left < 1) return { limit }
    const added = await insertKey(scope, issue, key, tx)
    const { name, permissions, expiresAt, allowedAddresses = [], allowedDomains = [] } = issue
    const limits = {
      ...(allowedAddresses.length && { allowedAddresses }),
      ...(allowedDomains.length && { allowedDomains }),
    }
    const changes = { permissions, start: key.start, expiresAt, ...limits }
    await addAudit(scope, { action: "api_key.created", target: encodeId("key", added.id), name, changes }, tx)
    return added
  })
}

/** How many more live keys the project may have, behind the lock of its row. */
async function roomForKeys(scope: Scope, tx: ScopedDb): Promise<{ limit: number; left: number }> {
  const limit = (await lockProject(scope, tx))?.maxApiKeys ?? 0
  // A separate statement, because it must see what the previous holder of the lock has added.
  const used = await tx.apiKey.count({ where: liveAt(await databaseTime(tx)) })
  return { limit, left: limit - used }
}

export type KeyPlan = Partial<RestrictedTo> & {
  name?: string | null
  permissions: readonly string[]
  expiresAt?: Date | null
  createdBy?: string
  replacesId?: string
}

/** Stores a new key by its hash; the secret itself is never stored. */
async function insertKey(scope: Scope, plan: KeyPlan, key: NewKey, tx: ScopedDb): Promise<ApiKey> {
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
    const { name, start } = revoked
    await addAudit(scope, { action: "api_key.revoked", target: encodeId("key", keyId), name, changes: { start } }, tx)
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
    allowedAddresses: row.allowedAddresses.length ? row.allowedAddresses : undefined,
    allowedDomains: row.allowedDomains.length ? row.allowedDomains : undefined,
  })
}

/** What a live key may do; null when the project has no such live key. */
export async function permissionsOfKey(scope: Scope, keyId: string): Promise<string[] | null> {
  const where = { id: keyId, ...liveAt(await databaseTime()) }
  const key = await db(scope).apiKey.findUnique({ where, select: { permissions: true } })
  return key && key.permissions
}

/** What a key gets, and of that what the person may give: nothing else is added, whatever happened since it was judged. */
type PermissionPlan = { wanted: readonly Permission[]; addable: readonly Permission[] }

/**
 * Replaces the permissions of a live key; false when there is none. Takes effect within 1 s in every process. A permission
 * that the key has lost since the person was judged is not given back.
 */
export async function setPermissions(scope: Scope, keyId: string, plan: PermissionPlan): Promise<boolean> {
  return db(scope).$transaction(async (tx) => {
    // Two changes wait for each other, so that the audit log says what was before.
    await lockProject(scope, tx)
    const where = { id: keyId, ...liveAt(await databaseTime(tx)) }
    const key = await tx.apiKey.findUnique({ where, select: { name: true, permissions: true } })
    if (!key) return false
    const before = key.permissions
    const permissions = plan.wanted.filter((one) => before.includes(one) || plan.addable.includes(one))
    if (!beyond(permissions, before).length && permissions.length === before.length) return true
    const { count } = await tx.apiKey.updateMany({ where, data: { permissions } })
    if (!count) return false
    const changes = { permissions: { before, after: permissions } }
    await addAudit(scope, { action: "api_key.updated", target: encodeId("key", keyId), name: key.name, changes }, tx)
    return true
  })
}

/** The domains that a live key sends from. */
export async function domainsOfKey(scope: Scope, keyId: string): Promise<string[]> {
  const key = await db(scope).apiKey.findUnique({ where: { id: keyId }, select: { allowedDomains: true } })
  return key?.allowedDomains ?? []
}

/** Which of these names are domains of the project. */
export async function ownDomains(scope: Scope, names: readonly string[]): Promise<Set<string>> {
  const rows = await db(scope).domain.findMany({ where: { name: { in: [...names] } }, select: { name: true } })
  return new Set(rows.map(({ name }) => name))
}

/**
 * Changes what restricts a live key; false when there is none. Takes effect within 1 s in every process, and within 5 s on
 * streams that were opened before.
 */
export async function setRestrictions(scope: Scope, keyId: string, wanted: Partial<RestrictedTo>): Promise<boolean> {
  return db(scope).$transaction(async (tx) => {
    await lockProject(scope, tx)
    const where = { id: keyId, ...liveAt(await databaseTime(tx)) }
    const select = { name: true, allowedAddresses: true, allowedDomains: true } as const
    const key = await tx.apiKey.findUnique({ where, select })
    if (!key) return false
    const changed = (["allowedAddresses", "allowedDomains"] as const).flatMap((list) => {
      const [before, after] = [key[list], wanted[list] ?? key[list]]
      const same = before.length === after.length && before.every((one) => after.includes(one))
      return same ? [] : [[list, { before, after }] as const]
    })
    if (!changed.length) return true
    const data: Partial<RestrictedTo> = Object.fromEntries(changed.map(([list, { after }]) => [list, after]))
    // Ends the streams that were opened from other addresses.
    const times = data.allowedAddresses && { addressesChangedAt: await databaseTime(tx) }
    const { count } = await tx.apiKey.updateMany({ where, data: { ...data, ...times } })
    if (!count) return false
    const changes = Object.fromEntries(changed)
    await addAudit(scope, { action: "api_key.updated", target: encodeId("key", keyId), name: key.name, changes }, tx)
    return true
  })
}

type RotationPlan = {
  keyId: string
  /** How long the old key continues to work; 0 ends it with the rotation. */
  overlapHours: number
  /** What the person who rotates may give. */
  held: readonly Permission[]
  by: string
}

type Refused = { limit: number } | { excess: string[] } | { successor: string }

/**
 * Replaces a live key by a new one. Null when there is no such live key, the limit
 * when the overlap would pass it, the permissions that are more than the person's own, the live key that replaces it already.
 */
export async function rotateKey(scope: Scope, plan: RotationPlan, key: NewKey): Promise<ApiKey | Refused | null> {
  return db(scope).$transaction(async (tx) => {
    // Locks the project's row first, as issuing does, so that the two wait for each other.
    const room = await roomForKeys(scope, tx)
    const now = await databaseTime(tx)
    const where = { id: plan.keyId, ...liveAt(now) }
    const old = await tx.apiKey.findUnique({
      where,
      select: {
        ...{ id: true, name: true, permissions: true, expiresAt: true, createdAt: true },
        ...{ allowedAddresses: true, allowedDomains: true },
      },
    })
    if (!old) return null
    // Two clicks would otherwise make two keys; the lock of the project's row makes the second see the first one's.
    const successor = await tx.apiKey.findFirst({
      where: { replacesId: plan.keyId, ...liveAt(now) },
      select: { id: true },
    })
    if (successor) return { successor: encodeId("key", successor.id) }
    const excess = beyond(plan.held, old.permissions)
    if (excess.length) return { excess }
    if (plan.overlapHours > 0 && room.left < 1) return { limit: room.limit }
    const { id, createdAt, ...copied } = old
    const lifetimeMs = await intendedLifetimeMs(old, tx)
    const end = plan.overlapHours
      ? { expiresAt: overlapEnd(plan.overlapHours, endOf(createdAt, lifetimeMs), now) }
      : { revokedAt: now }
    const { count } = await tx.apiKey.updateMany({ where, data: end })
    // It was revoked after it was read.
    if (!count) return null
    // As long from now as the old one was meant to live.
    const expiresAt = endOf(now, lifetimeMs)
    const added = await insertKey(scope, { ...copied, expiresAt, createdBy: plan.by, replacesId: id }, key, tx)
    const changes = { replacedBy: encodeId("key", added.id), start: key.start, overlapHours: plan.overlapHours }
    await addAudit(
      scope,
      { action: "api_key.rotated", target: encodeId("key", plan.keyId), name: old.name, changes },
      tx,
    )
    return added
  })
}

/**
 * Lets a rotated key go on working for so many hours from its rotation: never beyond the end that it was made for, and only
 * for longer than it has.
 */
export async function extendOverlap(
  scope: Scope,
  keyId: string,
  hours: number,
): Promise<"extended" | "not rotated" | "not longer"> {
  return db(scope).$transaction(async (tx) => {
    await lockProject(scope, tx)
    const where = { id: keyId, ...liveAt(await databaseTime(tx)) }
    const [key, next] = await Promise.all([
      tx.apiKey.findUnique({ where, select: { id: true, name: true, createdAt: true, expiresAt: true } }),
      tx.apiKey.findFirst({ where: { replacesId: keyId }, select: { createdAt: true }, orderBy: { id: "desc" } }),
    ])
    if (!key?.expiresAt || !next) return "not rotated"
    const ownEnd = endOf(key.createdAt, await intendedLifetimeMs(key, tx))
    const expiresAt = overlapEnd(hours, ownEnd, next.createdAt)
    if (expiresAt <= key.expiresAt) return "not longer"
    const { count } = await tx.apiKey.updateMany({ where, data: { expiresAt } })
    if (!count) return "not rotated"
    const changes = { expiresAt: { before: key.expiresAt.toISOString(), after: expiresAt.toISOString() } }
    await addAudit(scope, { action: "api_key.updated", target: encodeId("key", keyId), name: key.name, changes }, tx)
    return "extended"
  })
}

/** The live keys of the project, newest first, with what they replaced. There are few: the project's limit counts them. */
export async function keysInRotation(scope: InProject): Promise<RotatedKey[]> {
  return db(scope).apiKey.findMany({
    where: liveAt(await databaseTime()),
    select: { id: true, start: true, replacesId: true, createdAt: true, expiresAt: true, lastRequestAt: true },
    orderBy: { id: "desc" },
  })
}

type Lived = { id: string; createdAt: Date; expiresAt: Date | null }

/**
 * How long a key was meant to live, null for ever. A rotation brings its end forward, but gives the first replacement as long
 * as it had itself, and so on to the one that was not rotated.
 */
async function intendedLifetimeMs({ id, createdAt, expiresAt }: Lived, tx: ScopedDb): Promise<number | null> {
  const next = await tx.apiKey.findFirst({
    where: { replacesId: id },
    select: { id: true, createdAt: true, expiresAt: true },
    orderBy: { id: "asc" },
  })
  if (next) return intendedLifetimeMs(next, tx)
  return expiresAt && expiresAt.getTime() - createdAt.getTime()
}

function endOf(createdAt: Date, lifetimeMs: number | null): Date | null {
  return lifetimeMs === null ? null : new Date(createdAt.getTime() + lifetimeMs)
}

/** When a rotated key ends: after the overlap, unless its own end comes before. */
function overlapEnd(hours: number, ownEnd: Date | null, rotatedAt: Date): Date {
  const end = new Date(rotatedAt.getTime() + hours * hourMs)
  return ownEnd && ownEnd < end ? ownEnd : end
}
