import { randomUUID } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { applyFunctions } from "@/lib/platform/database/function-files"
import { inTransaction } from "@/lib/platform/database/pg-transaction"
import { checksum, type SqlFile } from "@/lib/platform/database/sql-file"

/** What makes a database: tables, once each, and functions, whose files hold their current text. */
export type DatabaseFiles = { migrations: readonly SqlFile[]; functions: readonly SqlFile[] }

/** The number of Prisma's own lock, so that its `migrate deploy` and this never run at the same time. */
const lockKey = 72_707_369
const lockPollMs = 200
/** Long enough for an index over a large table. */
const lockWaitMsMax = 30 * 60_000

/** The table as Prisma makes it: `prisma migrate status` and `deploy` elsewhere agree with what we wrote. */
const table = `
  create table if not exists _prisma_migrations (
    id varchar(36) primary key not null,
    checksum varchar(64) not null,
    finished_at timestamptz,
    migration_name varchar(255) not null,
    logs text,
    rolled_back_at timestamptz,
    started_at timestamptz not null default now(),
    applied_steps_count integer not null default 0
  )`

/**
 * Applies the migrations that are missing, in order of name, each in a transaction of its own, then the functions that
 * have changed, in one transaction. A migration whose first line is `-- outside a transaction` is sent statement by
 * statement; it must be written so that it can run again after it failed half way.
 * @returns the names of the migrations applied now
 * @throws Error with a sentence when the database and the files contradict each other
 */
export async function migrate(
  databaseUrl: string,
  { migrations, functions }: DatabaseFiles = readDatabaseFiles(),
  lockWaitMs = lockWaitMsMax,
): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: "mailroom migrations" })
  client.on("error", () => undefined)
  await client.connect()
  try {
    await lock(client, lockWaitMs)
    await client.query(table)
    const missing = withoutApplied(migrations, await appliedChecksums(client))
    for (const migration of missing) await apply(client, migration)
    await applyFunctions(client, functions)
    return missing.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

export function readDatabaseFiles(folder = join(process.cwd(), "prisma")): DatabaseFiles {
  const read = (name: string, ...path: string[]) => ({ name, sql: readFileSync(join(folder, ...path), "utf8") })
  const names = (...path: string[]) => readdirSync(join(folder, ...path)).sort()
  return {
    migrations: names("migrations")
      .filter((name) => existsSync(join(folder, "migrations", name, "migration.sql")))
      .map((name) => read(name, "migrations", name, "migration.sql")),
    functions: [
      ...names("functions")
        .filter((file) => file.endsWith(".sql"))
        .map((file) => read(file.slice(0, -".sql".length), "functions", file)),
      read("after-functions", "after-functions.sql"),
    ],
  }
}

/** Asks again and again: a session that waits inside the database holds a snapshot, for whose end a concurrent index waits. */
async function lock(client: pg.Client, waitMs: number) {
  const deadline = performance.now() + waitMs
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>("select pg_try_advisory_lock($1) as locked", [lockKey])
    if (rows[0]?.locked) return
    if (performance.now() > deadline) {
      throw new Error("Another process is still migrating the database: start again when it has finished.")
    }
    await sleep(lockPollMs)
  }
}

type Applied = { migration_name: string; checksum: string; finished_at: Date | null }

async function appliedChecksums(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<Applied>(
    "select migration_name, checksum, finished_at from _prisma_migrations where rolled_back_at is null order by started_at",
  )
  const unfinished = rows.find((row) => row.finished_at === null)
  if (unfinished) {
    throw new Error(
      `The migration ${unfinished.migration_name} was begun elsewhere and never finished: see prisma migrate resolve.`,
    )
  }
  return new Map(rows.map((row) => [row.migration_name, row.checksum]))
}

function withoutApplied(migrations: readonly SqlFile[], applied: Map<string, string>): SqlFile[] {
  const names = new Set(migrations.map(({ name }) => name))
  const unknown = [...applied.keys()].find((name) => !names.has(name))
  if (unknown) {
    throw new Error(
      `The database has the migration ${unknown}, which this version does not know: a newer one has run on it.`,
    )
  }
  const changed = migrations.find(({ name, sql }) => applied.has(name) && applied.get(name) !== checksum(sql))
  if (changed) {
    throw new Error(
      `The migration ${changed.name} was changed after it was applied: restore the file and add a new migration.`,
    )
  }
  return migrations.filter(({ name }) => !applied.has(name))
}

async function apply(client: pg.Client, migration: SqlFile) {
  if (migration.sql.startsWith("-- outside a transaction\n")) return applyOutside(client, migration)
  await inTransaction(client, async () => {
    await client.query(migration.sql)
    await record(client, migration)
  }).catch((error: Error) => {
    throw new Error(`The migration ${migration.name} failed and was rolled back: ${error.message}`, { cause: error })
  })
}

/** Recorded when all of it is done: after a failure or a crash it runs again from its first statement. */
async function applyOutside(client: pg.Client, migration: SqlFile) {
  for (const statement of statementsOf(migration.sql)) {
    await client.query(statement).catch((error: Error) => {
      throw new Error(
        `The migration ${migration.name} failed half way and runs again from its first statement at the next start: ${error.message}`,
        { cause: error },
      )
    })
  }
  await refuseUnfinishedIndexes(client, migration)
  await record(client, migration)
}

/** A statement ends with a semicolon at the end of a line. */
function statementsOf(sql: string): string[] {
  const statements = sql.split(/;$/m).map((statement) => statement.trim())
  return statements.filter((statement) => statement !== "")
}

/** CREATE INDEX IF NOT EXISTS is content with what a failed attempt left, which no query uses. */
async function refuseUnfinishedIndexes(client: pg.Client, { name, sql }: SqlFile) {
  const { rows } = await client.query<{ index: string }>(
    `select c.relname as index from pg_index i join pg_class c on c.oid = i.indexrelid
      where not i.indisvalid and strpos($1, c.relname) > 0`,
    [sql],
  )
  const [unfinished] = rows
  if (!unfinished) return
  throw new Error(
    `The migration ${name} found the index ${unfinished.index} unfinished: drop it, and write DROP INDEX CONCURRENTLY IF EXISTS before its CREATE INDEX.`,
  )
}

async function record(client: pg.Client, { name, sql }: SqlFile) {
  await client.query(
    `insert into _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
      values ($1, $2, $3, now(), clock_timestamp(), 1)`,
    [randomUUID(), checksum(sql), name],
  )
}
