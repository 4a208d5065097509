import { addAudit } from "@/lib/access/audit-store"
import type { NewKey } from "@/lib/access/credentials/keys"
import type { Permission } from "@/lib/access/permissions"
import { beyond } from "@/lib/api-keys/rules"
import type { ApiKey } from "@/lib/api-keys/schema"
import { addKey, keyById, roomForKeys } from "@/lib/api-keys/store"
import { transaction } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"
import type { Scope } from "@/lib/platform/http/scope"

type RotationPlan = {
  keyId: string
  /** How long the old key goes on working; 0 ends it with the rotation. */
  overlapHours: number
  /** What the person who rotates may do. */
  held: readonly Permission[]
  by: string
}

type Refused = { limit: number } | { excess: Permission[] }

/**
 * Puts a new key in the place of a live one, both at once or neither. Null when there is no such live key, the limit
 * when the overlap would pass it, the permissions that are more than the person's own.
 */
export async function rotateKey(scope: Scope, plan: RotationPlan, key: NewKey): Promise<ApiKey | Refused | null> {
  return transaction(async (client) => {
    // Takes the project's row first, as issuing does, so that the two wait for each other.
    const room = await roomForKeys(scope, client)
    type Old = { name: string | null; permissions: Permission[]; expires_at: Date | null }
    const { rows } = await client.query<Old>(
      `SELECT name, permissions, now() + (expires_at - created_at) AS expires_at FROM api_keys WHERE project_id = $1 AND id = $2
        AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()) FOR UPDATE`,
      [scope.project.id, plan.keyId],
    )
    const [old] = rows
    if (!old) return null
    const excess = beyond(plan.held, old.permissions)
    if (excess.length) return { excess }
    if (plan.overlapHours > 0 && room.left < 1) return { limit: room.limit }
    await client.query(
      `UPDATE api_keys SET revoked_at = CASE WHEN $2 = 0 THEN now() END,
        expires_at = CASE WHEN $2 = 0 THEN expires_at ELSE least(expires_at, now() + make_interval(hours => $2)) END WHERE id = $1`,
      [plan.keyId, plan.overlapHours],
    )
    const issue = { projectId: scope.project.id, permissions: old.permissions, createdBy: plan.by }
    const id = await addKey(
      { ...issue, ...(old.name !== null && { name: old.name }), ...(old.expires_at && { expiresAt: old.expires_at }) },
      key,
      client,
    )
    const changes = { replacedBy: encodeId("key", id), start: key.start, overlapHours: plan.overlapHours }
    await addAudit(scope, { action: "api_key.rotated", target: encodeId("key", plan.keyId), changes }, client)
    return keyById(scope, id, client)
  })
}
