import { pool } from "@/lib/platform/database/db"
import type { Scope } from "@/lib/platform/http/scope"
import { db } from "@/lib/platform/database/scoped-db"

/**
 * Hides the property at once; `removeValues` removes its values. False when there is none. Raw, because Prisma cannot
 * write the database's time.
 */
export async function hideProperty(scope: Scope, id: string): Promise<boolean> {
  const count = await db(scope).$executeRaw`
    UPDATE contact_properties SET deleted_at = now()
      WHERE project_id = ${scope.project.id}::uuid AND id = ${id}::uuid AND deleted_at IS NULL`
  return count === 1
}

export type HiddenProperty = { id: string; projectId: string; key: string }

/** Properties whose values are still to be removed. On `pg`, because the job serves all projects. */
export async function hiddenProperties(id?: string): Promise<HiddenProperty[]> {
  const { rows } = await pool().query<HiddenProperty>(
    `SELECT id, project_id AS "projectId", key FROM contact_properties
      WHERE deleted_at IS NOT NULL AND ($1::uuid IS NULL OR id = $1) ORDER BY id LIMIT 10`,
    [id ?? null],
  )
  return rows
}

/**
 * Removes the values of a hidden property from the next contacts after `after`, each batch a statement of its own. Raw,
 * because Prisma neither removes a key from jsonb nor locks rows in order.
 * @returns the contact to continue after; null when all are done and the property is deleted
 */
export async function removeValues(property: HiddenProperty, after: string, batch: number): Promise<string | null> {
  const { projectId, key } = property
  return db({ project: { id: projectId } }).$transaction(async (tx) => {
    const rows = await tx.contact.findMany({
      where: { id: { gt: after } },
      select: { id: true },
      orderBy: { id: "asc" },
      take: batch,
    })
    const last = rows.at(-1)
    if (!last) {
      await tx.contactProperty.deleteMany({ where: { id: property.id } })
      return null
    }
    await tx.$executeRaw`
      WITH locked AS (
        SELECT id FROM contacts WHERE project_id = ${projectId}::uuid AND id > ${after}::uuid AND id <= ${last.id}::uuid
          AND properties ? ${key} ORDER BY id FOR NO KEY UPDATE
      )
      UPDATE contacts c SET properties = c.properties - ${key}::text FROM locked WHERE c.id = locked.id`
    return last.id
  })
}
