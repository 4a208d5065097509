import { hourMs } from "@/lib/platform/time"
import { addAudit } from "@/lib/access/audit-store"
import type { NewKey } from "@/lib/access/credentials/keys"
import type { Permission } from "@/lib/access/permissions"
import { beyond, type RotatedKey } from "@/lib/api-keys/rules"
import type { ApiKey } from "@/lib/api-keys/schema"
import { insertKey, liveAt, roomForKeys } from "@/lib/api-keys/store"
import { encodeId } from "@/lib/platform/ids"
import type { Scope } from "@/lib/platform/http/scope"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { lockProject } from "@/lib/platform/database/locks-sql"
import { db, type InProject } from "@/lib/platform/database/scoped-db"

type RotationPlan = {
  keyId: string
  /** How long the old key continues to work; 0 ends it with the rotation. */
  overlapHours: number
  /** What the person who rotates may do. */
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
      select: { name: true, permissions: true, expiresAt: true, createdAt: true },
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
    const { count } = await tx.apiKey.updateMany({ where, data: endAfter(plan.overlapHours, old.expiresAt, now) })
    // It was revoked after it was read.
    if (!count) return null
    const { createdAt, ...copied } = old
    // As long from now as the old one was meant to live.
    const expiresAt = old.expiresAt && new Date(now.getTime() + old.expiresAt.getTime() - createdAt.getTime())
    const added = await insertKey(scope, { ...copied, expiresAt, createdBy: plan.by, replacesId: plan.keyId }, key, tx)
    const changes = { replacedBy: encodeId("key", added.id), start: key.start, overlapHours: plan.overlapHours }
    await addAudit(scope, { action: "api_key.rotated", target: encodeId("key", plan.keyId), changes }, tx)
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
      tx.apiKey.findUnique({ where, select: { createdAt: true, expiresAt: true } }),
      tx.apiKey.findFirst({
        where: { replacesId: keyId },
        select: { createdAt: true, expiresAt: true },
        orderBy: { id: "asc" },
      }),
    ])
    if (!key?.expiresAt || !next) return "not rotated"
    // The new key lives as long from its creation as the old one was meant to.
    const ownEnd = next.expiresAt
      ? key.createdAt.getTime() + next.expiresAt.getTime() - next.createdAt.getTime()
      : Infinity
    const expiresAt = new Date(Math.min(next.createdAt.getTime() + hours * hourMs, ownEnd))
    if (expiresAt <= key.expiresAt) return "not longer"
    const { count } = await tx.apiKey.updateMany({ where, data: { expiresAt } })
    if (!count) return "not rotated"
    const changes = { expiresAt: { before: key.expiresAt.toISOString(), after: expiresAt.toISOString() } }
    await addAudit(scope, { action: "api_key.updated", target: encodeId("key", keyId), changes }, tx)
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

/** Ends a key now, or after the overlap unless it expires before. */
function endAfter(overlapHours: number, expiresAt: Date | null, now: Date) {
  if (overlapHours === 0) return { revokedAt: now }
  const end = new Date(now.getTime() + overlapHours * hourMs)
  return { expiresAt: expiresAt && expiresAt < end ? expiresAt : end }
}
