import { rowsOf, type Connection } from "@/lib/platform/database/connection"
import type { InProject } from "@/lib/platform/database/scoped-db"
import { Prisma } from "@/prisma/generated/client"

const projectLimits = Prisma.sql`
  SELECT max_domains AS "maxDomains", max_api_keys AS "maxApiKeys", max_webhooks AS "maxWebhooks" FROM projects`

export type LockedLimits = { maxDomains: number; maxApiKeys: number; maxWebhooks: number }

/**
 * Locks the project until the transaction ends, so that additions that a limit bounds wait for each other; answers its
 * limits, or null where the project is deleted. Raw, because Prisma has no row locks.
 */
export async function lockProject(scope: InProject, tx: Connection): Promise<LockedLimits | null> {
  const [limits] = await rowsOf<LockedLimits>(
    tx,
    Prisma.sql`${projectLimits} WHERE id = ${scope.project.id}::uuid FOR NO KEY UPDATE`,
  )
  return limits ?? null
}

/**
 * Locks a row until the transaction ends, one above projects or one of the project; false where there is none. What is read
 * of it afterwards is as the holder of the lock before left it. Raw, because Prisma has no row locks.
 */
export async function lockRow(
  table: "organizations" | "users" | { of: InProject; table: "domains" | "webhooks" },
  id: string,
  tx: Connection,
): Promise<boolean> {
  const from =
    typeof table === "string"
      ? Prisma.sql`${Prisma.raw(table)} WHERE true`
      : Prisma.sql`${Prisma.raw(table.table)} WHERE project_id = ${table.of.project.id}::uuid`
  const rows = await rowsOf(tx, Prisma.sql`SELECT id FROM ${from} AND id = ${id}::uuid FOR NO KEY UPDATE`)
  return rows.length > 0
}

/**
 * Waits for every other transaction that takes the lock of this name, and holds it until this one ends. Raw, because Prisma
 * has no advisory locks.
 */
export async function takeLock(name: string, tx: Connection): Promise<void> {
  // Hashed as in the database's own functions, which take some of the same locks.
  await rowsOf(tx, Prisma.sql`SELECT 1 AS taken FROM pg_advisory_xact_lock(hashtext(${name}))`)
}
