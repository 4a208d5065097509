import { deleteProperty, hiddenProperties, type HiddenProperty } from "@/lib/contact-properties/data"
import { db } from "@/lib/platform/database/scoped-db"
import { withinBudget } from "@/lib/platform/jobs/budget"

/** Contacts of one statement. */
const batch = 2_000
const first = "00000000-0000-0000-0000-000000000000"

/** How far this process is with each hidden property: a call that began anew would never end where there are many contacts. */
const reached = new Map<string, string>()

/**
 * Removes the values of a hidden property from the next contacts, and the property after the last. Raw, because Prisma
 * neither removes a key from jsonb nor locks rows in order.
 * @returns whether contacts are left
 */
async function removeBatch(property: HiddenProperty): Promise<boolean> {
  const { id, projectId, key } = property
  const after = reached.get(id) ?? first
  const project = db({ project: { id: projectId } })
  const rows = await project.contact.findMany({
    where: { id: { gt: after } },
    select: { id: true },
    orderBy: { id: "asc" },
    take: batch,
  })
  const last = rows.at(-1)
  if (!last) {
    reached.delete(id)
    await deleteProperty(property)
    return false
  }
  await project.$executeRaw`
    WITH locked AS (
      SELECT id FROM contacts WHERE project_id = ${projectId}::uuid AND id > ${after}::uuid AND id <= ${last.id}::uuid
        AND properties ? ${key} ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE contacts c SET properties = c.properties - ${key}::text FROM locked WHERE c.id = locked.id`
  reached.set(id, last.id)
  return true
}

/**
 * Removes the values of deleted properties, of the given one or of all that wait, for about `budgetMs`.
 * @returns whether something is left, for the next call to continue with
 */
export async function removeValues(budgetMs: number, id?: string): Promise<boolean> {
  return withinBudget(await hiddenProperties(id), removeBatch, budgetMs)
}
