import { deleteProperty, hiddenProperties, type HiddenProperty } from "@/lib/contact-properties/removal-store"
import type { Clock } from "@/lib/platform/clock"
import { db } from "@/lib/platform/database/scoped-db"

/** Contacts of one statement. */
const batch = 2_000
const first = "00000000-0000-0000-0000-000000000000"

/**
 * Removes the values of a hidden property from the next contacts after `after`. Raw, because Prisma neither removes a key
 * from jsonb nor locks rows in order.
 * @returns the contact to continue after; null when no contact is left
 */
async function removeBatch({ projectId, key }: HiddenProperty, after: string): Promise<string | null> {
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

/**
 * Removes the values of deleted properties, the given one or all that wait, for at most `budgetMs`; what is left is
 * taken up by the next call.
 * @returns whether something is left
 */
export async function removeValues(clock: Clock, budgetMs: number, id?: string): Promise<boolean> {
  const until = clock.now().getTime() + budgetMs
  for (const property of await hiddenProperties(id)) {
    let after: string | null = first
    while (after !== null) {
      if (clock.now().getTime() >= until) return true
      after = await removeBatch(property, after)
    }
    await deleteProperty(property)
  }
  return false
}
