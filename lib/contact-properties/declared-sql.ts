import type { PropertyType } from "@/lib/contact-properties/rules"
import { rowsOf, type Connection } from "@/lib/platform/database/connection"
import { pool } from "@/lib/platform/database/db"
import { Prisma } from "@/prisma/generated/client"

/** What is declared for the contacts of a project: type and fallback by key. */
export type Declared = ReadonlyMap<string, { type: PropertyType; fallback: string | null }>

/** Raw, because contacts and imports read it in transactions of `pg` and of Prisma. */
export async function declaredProperties(projectId: string, on: Connection = pool()): Promise<Declared> {
  const rows = await rowsOf<{ key: string; type: PropertyType; fallback: string | null }>(
    on,
    Prisma.sql`SELECT key, type, fallback_value AS fallback FROM contact_properties
      WHERE project_id = ${projectId}::uuid AND deleted_at IS NULL ORDER BY id`,
  )
  return new Map(rows.map(({ key, type, fallback }) => [key, { type, fallback }]))
}
