import { rowsOf } from "@/lib/platform/database/connection"
import { pool } from "@/lib/platform/database/db"
import { Prisma } from "@/prisma/generated/client"

export type DatabaseVersions = { postgres: string; schema: string }

/** Of the server that answers, and the newest migration of its tables. Raw, because Prisma reads neither. */
export async function databaseVersions(): Promise<DatabaseVersions> {
  const asked = Prisma.sql`SELECT split_part(current_setting('server_version'), ' ', 1) AS postgres,
    (SELECT max(migration_name) FROM _prisma_migrations WHERE finished_at IS NOT NULL) AS schema`
  const [row] = await rowsOf<DatabaseVersions>(pool(), asked)
  if (!row) throw new Error("The database answered no version.")
  return row
}
