import { addAudit } from "@/lib/access/audit-store"
import type { NewKey } from "@/lib/access/credentials/keys"
import type { Permission } from "@/lib/access/permissions"
import { beyond } from "@/lib/api-keys/rules"
import { endAfter, lockLiveKey } from "@/lib/api-keys/rotation-sql"
import type { ApiKey } from "@/lib/api-keys/schema"
import { insertKey, roomForKeys } from "@/lib/api-keys/store"
import { encodeId } from "@/lib/platform/ids"
import type { Scope } from "@/lib/platform/http/scope"
import { db } from "@/lib/platform/database/scoped-db"

type RotationPlan = {
  keyId: string
  /** How long the old key continues to work; 0 ends it with the rotation. */
  overlapHours: number
  /** What the person who rotates may do. */
  held: readonly Permission[]
  by: string
}

type Refused = { limit: number } | { excess: Permission[] }

/**
 * Replaces a live key by a new one. Null when there is no such live key, the limit
 * when the overlap would pass it, the permissions that are more than the person's own.
 */
export async function rotateKey(scope: Scope, plan: RotationPlan, key: NewKey): Promise<ApiKey | Refused | null> {
  return db(scope).$transaction(async (tx) => {
    // Locks the project's row first, as issuing does, so that the two wait for each other.
    const room = await roomForKeys(scope, tx)
    const old = await lockLiveKey(scope, plan.keyId, tx)
    if (!old) return null
    const excess = beyond(plan.held, old.permissions)
    if (excess.length) return { excess }
    if (plan.overlapHours > 0 && room.left < 1) return { limit: room.limit }
    await endAfter(scope, plan.keyId, plan.overlapHours, tx)
    const added = await insertKey(scope, { ...old, createdBy: plan.by }, key, tx)
    const changes = { replacedBy: encodeId("key", added.id), start: key.start, overlapHours: plan.overlapHours }
    await addAudit(scope, { action: "api_key.rotated", target: encodeId("key", plan.keyId), changes }, tx)
    return added
  })
}
