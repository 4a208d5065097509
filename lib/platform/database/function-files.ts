import { createHash } from "node:crypto"
import type pg from "pg"
import { inTransaction } from "@/lib/platform/database/client"
import { lockTimeout } from "@/lib/platform/database/lock-waits"

const table = `
  create table if not exists _mailroom_functions (
    name text primary key,
    checksum text not null,
    applied_at timestamptz not null default transaction_timestamp()
  )`

/**
 * Applies the files whose text is not the one that the database has, all in one transaction. The caller holds the lock of
 * the migrations, and does not call this where a newer version has migrated the database. Older versions that have the same
 * migrations put their own texts back: a function that must not go back to an older text comes with a migration. So does
 * the removal of a file, which leaves the function, and a table that is made anew, which has no triggers: that migration
 * deletes the file's row here.
 * @throws Error with a sentence that names the file
 */
export async function applyFunctions(client: pg.Client, functions: readonly SqlFile[]) {
  await client.query(table)
  const { rows } = await client.query<{ name: string; checksum: string }>(
    "select name, checksum from _mailroom_functions",
  )
  const applied = new Map(rows.map((row) => [row.name, row.checksum]))
  const changed = functions.filter(({ name, sql }) => applied.get(name) !== checksum(sql))
  const names = functions.map(({ name }) => name)
  if (changed.length === 0 && rows.every(({ name }) => names.includes(name))) return

  await inTransaction(client, async () => {
    // Functions call each other: their bodies are checked when they run, not in the order of their names.
    await client.query(`set local check_function_bodies = off; set local lock_timeout = '${lockTimeout}'`)
    for (const file of changed) await apply(client, file)
    await client.query("delete from _mailroom_functions where name <> all ($1::text[])", [names])
  })
}

async function apply(client: pg.Client, { name, sql }: SqlFile) {
  await client.query(sql).catch((error: Error) => {
    throw new Error(`The functions in ${name}.sql could not be applied: ${error.message}`, { cause: error })
  })
  await client.query(
    `insert into _mailroom_functions (name, checksum) values ($1, $2)
      on conflict (name) do update set checksum = excluded.checksum, applied_at = transaction_timestamp()`,
    [name, checksum(sql)],
  )
}

export type SqlFile = { name: string; sql: string }

export function checksum(sql: string): string {
  return createHash("sha256").update(sql).digest("hex")
}
