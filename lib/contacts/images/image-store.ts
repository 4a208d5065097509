import { pool } from "@/lib/platform/database/db"
import type { Scope } from "@/lib/platform/http/scope"

export type Picture = { url: string } | { key: string } | null

/** Replaces the picture of a contact. The object that it had before, which is to be removed; null when there is no such contact. */
export async function replacePicture(
  scope: Scope,
  id: string,
  picture: Picture,
): Promise<{ formerKey: string | null } | null> {
  const url = picture && "url" in picture ? picture.url : null
  const key = picture && "key" in picture ? picture.key : null
  const { rows } = await pool().query<{ former_key: string | null }>(
    `UPDATE contacts c SET image_url = $3, image_key = $4
      FROM (SELECT id, image_key FROM contacts WHERE project_id = $1 AND id = $2 FOR NO KEY UPDATE) former
      WHERE c.id = former.id RETURNING former.image_key AS former_key`,
    [scope.project.id, id, url, key],
  )
  return rows[0] ? { formerKey: rows[0].former_key } : null
}

/** Which of these objects are the picture of a contact. */
export async function picturesInUse(keys: readonly string[]): Promise<Set<string>> {
  const { rows } = await pool().query<{ image_key: string }>(
    "SELECT image_key FROM contacts WHERE image_key = ANY ($1)",
    [keys],
  )
  return new Set(rows.map(({ image_key }) => image_key))
}
