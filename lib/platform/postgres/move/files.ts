import type pg from "pg"

/** Keys of the stored files that rows of these projects name. */
export async function filesOf(client: pg.Client, projectIds: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>(
    `SELECT image_key AS key FROM contacts WHERE project_id = ANY ($1) AND image_key IS NOT NULL
      UNION SELECT object_key FROM imports WHERE project_id = ANY ($1) AND object_key IS NOT NULL`,
    [projectIds],
  )
  return rows.map(({ key }) => key)
}
