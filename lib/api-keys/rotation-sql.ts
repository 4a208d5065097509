import type { Permission } from "@/lib/access/permissions"
import type { Scope } from "@/lib/platform/http/scope"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"

/** What a new key takes over; it lives as long from now as the old one was meant to. */
type Replaced = { name: string | null; permissions: Permission[]; expiresAt: Date | null }

/** A live key, locked; null when there is none. Raw for the lock and the database's time. */
export async function lockLiveKey(scope: Scope, keyId: string, tx: ScopedDb): Promise<Replaced | null> {
  const [row] = await tx.$queryRaw<Replaced[]>`
    SELECT name, permissions, now() + (expires_at - created_at) AS "expiresAt" FROM api_keys
      WHERE project_id = ${scope.project.id}::uuid AND id = ${keyId}::uuid
        AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()) FOR UPDATE`
  return row ?? null
}

/** Ends a key after the overlap, or now without one. Raw, because Prisma cannot write the database's time. */
export async function endAfter(scope: Scope, keyId: string, overlapHours: number, tx: ScopedDb): Promise<void> {
  await tx.$executeRaw`
    UPDATE api_keys SET revoked_at = CASE WHEN ${overlapHours}::int = 0 THEN now() END,
        expires_at = CASE WHEN ${overlapHours}::int = 0 THEN expires_at
          ELSE least(expires_at, now() + make_interval(hours => ${overlapHours}::int)) END
      WHERE project_id = ${scope.project.id}::uuid AND id = ${keyId}::uuid`
}
