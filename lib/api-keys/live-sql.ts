import type { Scope } from "@/lib/platform/http/scope"
import { db } from "@/lib/platform/database/scoped-db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"

/** The keys that work now. Raw, because Prisma cannot compare with the database's time. */
export async function liveKeyIds(scope: Scope, on: ScopedDb = db(scope)): Promise<ReadonlySet<string>> {
  const rows = await on.$queryRaw<{ id: string }[]>`
    SELECT id FROM api_keys
      WHERE project_id = ${scope.project.id}::uuid AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`
  return new Set(rows.map(({ id }) => id))
}

type Revoked = { name: string | null; start: string }

/** Revokes a key; null when it is not live. Raw, because Prisma cannot write the database's time. */
export async function revoke(scope: Scope, keyId: string, tx: ScopedDb): Promise<Revoked | null> {
  const [row] = await tx.$queryRaw<Revoked[]>`
    UPDATE api_keys SET revoked_at = now()
      WHERE project_id = ${scope.project.id}::uuid AND id = ${keyId}::uuid AND revoked_at IS NULL RETURNING name, start`
  return row ?? null
}
