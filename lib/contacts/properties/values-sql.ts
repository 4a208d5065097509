import type { HiddenProperty } from "@/lib/contact-properties/removal-store"
import { db } from "@/lib/platform/database/scoped-db"

/**
 * Removes the values of a hidden property from the next contacts after `after`. Raw, because Prisma neither removes a key
 * from jsonb nor locks rows in order.
 * @returns the contact to continue after; null when no contact is left
 */
export async function removeValues(
  { projectId, key }: HiddenProperty,
  after: string,
  batch: number,
): Promise<string | null> {
  const project = db({ project: { id: projectId } })
  const rows = await project.contact.findMany({
    where: { id: { gt: after } },
    select: { id: true },
    orderBy: { id: "asc" },
    take: batch,
  })
  const last = rows.at(-1)
  if (!last) return null
  await project.$executeRaw`
    WITH locked AS (
      SELECT id FROM contacts WHERE project_id = ${projectId}::uuid AND id > ${after}::uuid AND id <= ${last.id}::uuid
        AND properties ? ${key} ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE contacts c SET properties = c.properties - ${key}::text FROM locked WHERE c.id = locked.id`
  return last.id
}
