import type { Scope } from "@/lib/platform/http/scope"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"

/** Locks a domain until the transaction ends; false where there is none. Raw, because Prisma has no row locks. */
export async function lockDomain(scope: Scope, id: string, tx: ScopedDb): Promise<boolean> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM domains WHERE project_id = ${scope.project.id}::uuid AND id = ${id}::uuid FOR UPDATE`
  return rows.length > 0
}
