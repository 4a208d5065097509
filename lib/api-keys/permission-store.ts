import { addAudit } from "@/lib/access/audit-store"
import type { Permission } from "@/lib/access/permissions"
import { beyond } from "@/lib/api-keys/rules"
import { liveAt } from "@/lib/api-keys/store"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { lockProject } from "@/lib/platform/database/locks-sql"
import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId } from "@/lib/platform/ids"

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
    const key = await tx.apiKey.findUnique({ where, select: { permissions: true } })
    if (!key) return false
    const before = key.permissions
    const permissions = plan.wanted.filter((one) => before.includes(one) || plan.addable.includes(one))
    if (!beyond(permissions, before).length && permissions.length === before.length) return true
    const { count } = await tx.apiKey.updateMany({ where, data: { permissions } })
    if (!count) return false
    const changes = { permissions: { before, after: permissions } }
    await addAudit(scope, { action: "api_key.updated", target: encodeId("key", keyId), changes }, tx)
    return true
  })
}
