import { pool } from "@/lib/platform/database/db"

/** No id comes before it. */
export const firstId = "00000000-0000-0000-0000-000000000000"

type Distinct = {
  /** Of the prepared statement. */
  name: string
  table: string
  /** An index begins with it, over the rows that `where` names. */
  column: string
  where?: string
  /** What must be true of an id, which is `walk.id`. */
  also?: string
  limit: number
}

/**
 * The ids in a column of a table, those of all projects, in their order after `after`. On `pg`, because Prisma cannot skip from
 * id to id through an index: each costs two reads, however many rows it has.
 */
export async function distinctIds(
  after: string,
  { name, table, column, where, also, limit }: Distinct,
): Promise<string[]> {
  const condition = where ? `${where} AND` : ""
  const { rows } = await pool().query<{ id: string }>({
    name,
    text: `WITH RECURSIVE walk AS (
        (SELECT ${column} AS id FROM ${table} WHERE ${condition} ${column} > $1 ORDER BY 1 LIMIT 1)
        UNION ALL
        SELECT (SELECT t.${column} FROM ${table} t WHERE ${condition} t.${column} > walk.id ORDER BY 1 LIMIT 1)
          FROM walk WHERE walk.id IS NOT NULL
      )
      SELECT id FROM walk WHERE id IS NOT NULL ${also ? `AND ${also}` : ""} LIMIT $2`,
    values: [after, limit],
  })
  return rows.map(({ id }) => id)
}
