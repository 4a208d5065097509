import type { Scope } from "@/lib/platform/http/scope"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"

/** Locks a domain until the transaction ends; false where there is none. Raw, because Prisma has no row locks. */
export async function lockDomain(scope: Scope, id: string, tx: ScopedDb): Promise<boolean> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM domains WHERE project_id = ${scope.project.id}::uuid AND id = ${id}::uuid FOR UPDATE`
  return rows.length > 0
}

/**
 * Starts the schedule of checks anew. `updated_at` moves in any case: a check that began before sees by it that the domain
 * has changed. Raw, because Prisma cannot write the database's time.
 */
export async function restartChecks(scope: Scope, id: string, afterSeconds: number, tx: ScopedDb): Promise<void> {
  await tx.$executeRaw`
    UPDATE domains SET check_attempt = 0, due_at = now() + make_interval(secs => ${afterSeconds}::int),
        updated_at = greatest(now(), updated_at + interval '1 millisecond')
      WHERE project_id = ${scope.project.id}::uuid AND id = ${id}::uuid`
}
