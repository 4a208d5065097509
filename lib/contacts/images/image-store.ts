import { lockContact } from "@/lib/consent/locks-sql"
import { unscoped } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"

export type Picture = { url: string } | { key: string } | null

/** Replaces the picture of a contact. The object that it had before, which is to be removed; null when there is no such contact. */
export async function replacePicture(
  scope: Scope,
  id: string,
  picture: Picture,
): Promise<{ formerKey: string | null } | null> {
  const data = {
    imageUrl: picture && "url" in picture ? picture.url : null,
    imageKey: picture && "key" in picture ? picture.key : null,
  }
  return db(scope).$transaction(async (tx) => {
    // Two at once would otherwise both remove the first object, and leave one without a contact.
    await lockContact(scope.project.id, { id }, tx)
    const former = await tx.contact.findUnique({ where: { id }, select: { imageKey: true } })
    if (!former) return null
    await tx.contact.updateMany({ where: { id }, data })
    return { formerKey: former.imageKey }
  })
}

/** Those of these objects that are the picture of a contact of any project. */
export async function picturesInUse(keys: readonly string[]): Promise<Set<string>> {
  const rows = await unscoped().contact.findMany({ where: { imageKey: { in: [...keys] } }, select: { imageKey: true } })
  return new Set(rows.flatMap(({ imageKey }) => imageKey ?? []))
}
