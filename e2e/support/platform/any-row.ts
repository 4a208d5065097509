import { pool } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"

/** A table with its columns as PostgreSQL types them, and the columns of its primary key. */
export type Table = { name: string; columns: { name: string; type: string }[]; primaryKey: string[] }

export async function tables(): Promise<Map<string, Table>> {
  const { rows } = await pool().query<Table>(
    `SELECT c.relname AS name,
        (SELECT json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, NULL)) ORDER BY a.attnum)
          FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
        (SELECT array_agg(a.attname::text ORDER BY array_position(i.indkey::int[], a.attnum::int))
          FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
          WHERE i.indrelid = c.oid AND i.indisprimary) AS "primaryKey"
      FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`,
  )
  return new Map(rows.map((table) => [table.name, table]))
}

/** Drops foreign keys, checks and triggers of this database, so that a row of a table needs no other. */
export async function dropConstraints(): Promise<void> {
  const { rows } = await pool().query<{ statement: string }>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I CASCADE', conrelid::regclass, conname) AS statement
        FROM pg_constraint WHERE contype IN ('f', 'c') AND conrelid <> 0 AND conparentid = 0
      UNION ALL SELECT format('DROP TRIGGER IF EXISTS %I ON %s', tgname, tgrelid::regclass)
        FROM pg_trigger WHERE NOT tgisinternal AND tgparentid = 0`,
  )
  for (const { statement } of rows) await pool().query(statement)
}

/** Inserts a row of a project with other values in every column. */
export async function addAnyRow(table: Table, projectId: string): Promise<void> {
  const row = Object.fromEntries(table.columns.map(({ name, type }) => [name, valueOf(type)]))
  await pool().query(
    `INSERT INTO "${table.name}" OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::"${table.name}", $1)`,
    [JSON.stringify({ ...row, project_id: projectId })],
  )
}

/** All rows of a project as text. */
export async function rowsOf(table: Table, projectId: string): Promise<string[]> {
  const { rows } = await pool().query<{ row: string }>(
    `SELECT to_jsonb(t)::text AS row FROM "${table.name}" t WHERE project_id = $1 ORDER BY 1`,
    [projectId],
  )
  return rows.map(({ row }) => row)
}

function valueOf(type: string): unknown {
  const id = newId()
  const number = Number.parseInt(id.slice(-3), 16)
  if (type.endsWith("[]")) return []
  if (type === "uuid") return id
  if (type === "boolean") return true
  if (type === "bytea") return `\\x${id.replaceAll("-", "")}`
  if (type === "jsonb") return { project: id }
  if (/^timestamp|^date/.test(type)) return new Date(1_700_000_000_000 + number * 3_600_000).toISOString()
  return /int|double|numeric|real/.test(type) ? number : id
}
