import type { Readable, Writable } from "node:stream"
import { once } from "node:events"
import pg from "pg"
import { bySize, insertBytesMax } from "@/lib/platform/postgres/move/copy"
import { rowsAtOnce } from "@/lib/platform/postgres/move/tables"

// A backup is rows as JSON, read in one snapshot and written in any version of PostgreSQL: the embedded server comes without pg_dump, and
// pg_dump of another version refuses it. It is how an installation moves to another server, or to another major version of it.

/** The first line of a backup. */
export type BackupHeader = {
  mailroomBackup: 1
  at: string
  migrations: string[]
  secretKeyId: string | null
  partitions: { name: string; parent: string; bound: string }[]
  sequences: { name: string; value: string }[]
}

/** A table that only a restored database has, until somebody decides what is sent from it. */
const hold = "_mailroom_restored"

/** Writes every row as of one moment, while the installation goes on; returns how many. */
export async function backUp(client: pg.Client, out: Writable): Promise<{ header: BackupHeader; rows: number }> {
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
  const header = await headerOf(client)
  const write = async (line: string) => {
    if (!out.write(`${line}\n`)) await once(out, "drain")
  }
  await write(JSON.stringify(header))
  let rows = 0
  for (const table of await tablesOf(client)) {
    await write(JSON.stringify({ table: table.name, columns: table.columns }))
    await client.query(
      `DECLARE rows NO SCROLL CURSOR FOR SELECT row_to_json(t)::text AS row FROM (SELECT ${table.columns.map(pg.escapeIdentifier).join(", ")} FROM ${table.name}) t`,
    )
    for (;;) {
      const { rows: found } = await client.query<{ row: string }>(`FETCH ${rowsAtOnce(table.name)} FROM rows`)
      if (found.length === 0) break
      for (const batch of bySize(found.map(({ row }) => row.replaceAll("\n", " ")))) await write(batch.join("\n"))
      rows += found.length
    }
    await client.query("CLOSE rows")
  }
  await write(JSON.stringify({ end: rows }))
  await client.query("COMMIT")
  return { header, rows }
}

export type OpenBackup = { header: BackupHeader; rest: AsyncIterator<string> }

/** Not by node:readline, which also ends a line at the separators U+2028 and U+2029, as JSON does not: texts of emails have them. */
export async function* linesOf(file: Readable): AsyncGenerator<string> {
  let line = ""
  for await (const text of file.setEncoding("utf8") as AsyncIterable<string>) {
    const [end = "", ...others] = text.split("\n")
    line += end
    for (const other of others) {
      yield line
      line = other
    }
  }
  if (line) yield line
}

/** Reads the first line. @throws Error with a sentence where it is not one of a backup */
export async function openBackup(lines: AsyncIterable<string>): Promise<OpenBackup> {
  const rest = lines[Symbol.asyncIterator]()
  return { header: headerFrom((await rest.next()).value as string | undefined), rest }
}

/**
 * Whether a version before this one made the backup.
 * @throws Error with a sentence where the backup does not belong into this database, which stays as it is
 */
export async function isOfEarlierVersion(client: pg.Client, { header }: OpenBackup, keyId: string): Promise<boolean> {
  const here = await headerOf(client)
  if (header.secretKeyId !== null && header.secretKeyId !== keyId)
    throw new Error(
      `The backup belongs to another SECRET_KEY (its id is ${header.secretKeyId}, this one's is ${keyId}): set that key, or begin with a DATA_DIR that holds its secret-key.`,
    )
  const { rows } = await client.query("SELECT 1 FROM organizations LIMIT 1")
  if (rows.length > 0) throw new Error("This database is in use: restore into an empty one.")
  const unknown = header.migrations.find((name, at) => name !== here.migrations[at])
  if (unknown !== undefined)
    throw new Error(
      `The backup has the migration ${unknown}, which this version does not know: restore it with the version that made it, or a later one.`,
    )
  return header.migrations.length < here.migrations.length
}

/**
 * Replaces the rows of a database that has the backup's migrations and no organization yet, in one transaction. Afterwards it is held:
 * workers do nothing until `release`.
 * @throws Error with a sentence where the backup is not whole
 */
export async function restoreBackup(
  client: pg.Client,
  { header, rest: reading }: OpenBackup,
): Promise<{ rows: number; at: string }> {
  await client.query("BEGIN")
  const foreign = await client.query<{ on: string; name: string; text: string }>(
    `SELECT conrelid::regclass::text AS on, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS text FROM pg_constraint
      WHERE contype = 'f' AND conparentid = 0 AND connamespace = 'public'::regnamespace`,
  )
  for (const { on, name } of foreign.rows) await client.query(`ALTER TABLE ${on} DROP CONSTRAINT ${name}`)
  for (const { name, parent, bound } of header.partitions)
    await client.query(`CREATE TABLE IF NOT EXISTS ${name} PARTITION OF ${parent} ${bound}`)
  const names = (await tablesOf(client)).map(({ name }) => name)
  for (const name of names) await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`)
  await client.query(`TRUNCATE ${names.join(", ")}`)
  const rows = await insertAll(client, reading, names)
  for (const name of names) await client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`)
  for (const { on, name, text } of foreign.rows) await client.query(`ALTER TABLE ${on} ADD CONSTRAINT ${name} ${text}`)
  for (const { name, value } of header.sequences) await client.query("SELECT setval($1::regclass, $2)", [name, value])
  await client.query(`CREATE TABLE ${hold} AS SELECT $1::timestamptz AS at`, [header.at])
  await client.query("COMMIT")
  await client.query("ANALYZE")
  return { rows, at: header.at }
}

/** When the backup was made from which this database was restored; null once it is released, and for all others. */
export async function heldSince(on: Pick<pg.Pool, "query">): Promise<Date | null> {
  const { rows: tables } = await on.query<{ name: string | null }>("SELECT to_regclass($1)::text AS name", [hold])
  if (!tables[0]?.name) return null
  const { rows } = await on.query<{ at: Date }>(`SELECT at FROM ${hold}`)
  return rows[0]?.at ?? null
}

/** Lets workers work again. */
export async function endHold(on: Pick<pg.Pool, "query">): Promise<void> {
  await on.query(`DROP TABLE IF EXISTS ${hold}`)
}

async function headerOf(client: pg.Client): Promise<BackupHeader> {
  const { rows } = await client.query<BackupHeader>(
    // Not before any row of the snapshot, whose times are rounded to a millisecond.
    `SELECT 1 AS "mailroomBackup", to_char((clock_timestamp() + interval '1 ms') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at,
      (SELECT array_agg(migration_name::text ORDER BY migration_name) FROM _prisma_migrations WHERE rolled_back_at IS NULL) AS migrations,
      (SELECT secret_key_id FROM installation) AS "secretKeyId",
      (SELECT coalesce(json_agg(json_build_object('name', c.oid::regclass::text, 'parent', i.inhparent::regclass::text, 'bound', pg_get_expr(c.relpartbound, c.oid))), '[]')
        FROM pg_class c JOIN pg_inherits i ON i.inhrelid = c.oid WHERE c.relispartition AND c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace) AS partitions,
      (SELECT coalesce(json_agg(json_build_object('name', format('%I', sequencename), 'value', last_value::text)), '[]')
        FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL) AS sequences`,
  )
  return rows[0] as BackupHeader
}

type Table = { name: string; columns: string[] }

/** With the columns that are stored, and without the tables that say which migrations ran. */
async function tablesOf(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `SELECT c.oid::regclass::text AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname NOT LIKE '\\_%'
      GROUP BY c.oid ORDER BY 1`,
  )
  return rows
}

function headerFrom(line = ""): BackupHeader {
  const header = line.startsWith('{"mailroomBackup":1,') ? (JSON.parse(line) as BackupHeader) : null
  if (!header) throw new Error("The file is not a backup.")
  return header
}

async function insertAll(client: pg.Client, reading: AsyncIterator<string>, names: string[]): Promise<number> {
  let table: Table | undefined
  let waiting: string[] = []
  let length = 0
  let rows = 0
  const flush = async () => {
    if (!table || waiting.length === 0) return
    const columns = table.columns.map(pg.escapeIdentifier).join(", ")
    await client.query(
      `INSERT INTO ${table.name} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM json_populate_recordset(null::${table.name}, $1::json)`,
      [`[${waiting.join(",")}]`],
    )
    rows += waiting.length
    waiting = []
    length = 0
  }
  for (let next = await reading.next(); !next.done; next = await reading.next()) {
    const line = next.value
    if (line.startsWith('{"table":')) {
      await flush()
      table = tableFrom(line, names)
    } else if (line.startsWith('{"end":')) {
      await flush()
      if ((JSON.parse(line) as { end: number }).end === rows) return rows
    } else {
      if (length + line.length > insertBytesMax) await flush()
      waiting.push(line)
      length += line.length
    }
  }
  throw new Error("The backup is not whole.")
}

function tableFrom(line: string, names: string[]): Table {
  const { table: name, columns } = JSON.parse(line) as { table: string; columns: string[] }
  if (!names.includes(name)) throw new Error(`The backup has a table that this version does not know: ${name}.`)
  return { name, columns }
}
