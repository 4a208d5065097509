import { randomUUID } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type pg from "pg"
import { inTransaction, newClient } from "@/lib/platform/database/client"
import { applyFunctions, checksum, type SqlFile } from "@/lib/platform/database/function-files"
import { lockTimeout, tellingBlockers, untilUnlocked } from "@/lib/platform/database/lock-waits"

/** What makes a database: tables, once each, and functions, whose files hold their current text. */
export type DatabaseFiles = {
  migrations: readonly SqlFile[]
  functions: readonly SqlFile[]
  /** The release that these files are part of. */
  release?: number
}

/** The number of Prisma's own lock, so that its `migrate deploy` and this never run at the same time. */
const lockKey = 72_707_369
const lockPollMs = 200
const lockToldAfterMs = 2_000
/** Long enough for an index over a large table. */
const lockWaitMsMax = 30 * 60_000

/**
 * The first table as Prisma makes it: `prisma migrate status` and `deploy` elsewhere agree with what we wrote. The second says
 * which release has brought a migration, to the one before, which does not know it.
 */
const tables = `
  create table if not exists _prisma_migrations (
    id varchar(36) primary key not null,
    checksum varchar(64) not null,
    finished_at timestamptz,
    migration_name varchar(255) not null,
    logs text,
    rolled_back_at timestamptz,
    started_at timestamptz not null default now(),
    applied_steps_count integer not null default 0
  );
  create table if not exists _mailroom_releases (migration_name text primary key, release integer not null)`

type Options = {
  /** How long to wait for another process that migrates. */
  lockWaitMs?: number
  /** Takes sentences for the operator while it waits. */
  tell?: (sentence: string) => void
  /** Ends it where it is: what is under way is rolled back. */
  signal?: AbortSignal
}

/**
 * Applies the migrations that are missing, in order of name, each in a transaction of its own, then the functions that
 * have changed, in one transaction. A migration whose first line is `-- outside a transaction` is sent statement by
 * statement; it must be written so that it can run again after it failed half way. On a database of the next release it changes
 * nothing: this version runs on it.
 * @returns the names of the migrations applied now
 * @throws Error with a sentence when the database and the files contradict each other
 */
export async function migrate(
  databaseUrl: string,
  files: DatabaseFiles = readDatabaseFiles(),
  { lockWaitMs = lockWaitMsMax, tell = () => undefined, signal }: Options = {},
): Promise<string[]> {
  // An index over a large table takes its time: these statements have no limit but the end of the connection.
  const client = newClient(databaseUrl, "mailroom migrations", {})
  await client.connect()
  signal?.addEventListener("abort", () => client.end())
  try {
    signal?.throwIfAborted()
    await lock(client, lockWaitMs, tell)
    await client.query(tables)
    const { missing, unknown } = await comparedWith(client, files)
    if (unknown.length > 0) {
      tell(
        `The database has ${unknown.join(", ")} of a newer version, which this one runs on. It changes nothing there.`,
      )
      return []
    }
    let at = "The update of the database's functions"
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid")
    await tellingBlockers({ databaseUrl, pid: rows[0]?.pid ?? 0, what: () => at, tell }, async () => {
      for (const migration of missing) {
        at = `The migration ${migration.name}`
        await apply(client, migration, files.release ?? release)
      }
      at = "The update of the database's functions"
      await untilUnlocked(() => applyFunctions(client, files.functions))
    })
    return missing.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

/**
 * All but what extensions have brought, where there is no organization. The names are read before anything is gone that a name may
 * contain.
 */
const dropAll = `
  do $$
  declare
    statement text;
  begin
    lock table organizations;
    if exists (select from organizations) then
      raise exception 'This database is in use: restore into an empty one.';
    end if;
    foreach statement in array (
      select array_agg(s order by s) from (
        select format('drop table if exists %I cascade', relname) as s from pg_class c
          where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
            and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
        union all
        select format('drop routine if exists %s cascade', p.oid::regprocedure) from pg_proc p
          where pronamespace = 'public'::regnamespace
            and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
        union all
        select format('drop type if exists %I cascade', typname) from pg_type
          where typnamespace = 'public'::regnamespace and typtype = 'e') all_of_them)
    loop
      execute statement;
    end loop;
  end $$`

/**
 * Drops the tables of a database without an organization, and applies the named migrations alone: the schema of an earlier version.
 * The functions of that time are not known; `migrate` brings the rest.
 */
export async function recreateSchema(
  databaseUrl: string,
  names: readonly string[],
  all = readDatabaseFiles().migrations,
) {
  const client = newClient(databaseUrl, "mailroom migrations", {})
  await client.connect()
  try {
    await client.query(dropAll)
  } finally {
    await client.end()
  }
  await migrate(databaseUrl, { migrations: all.filter(({ name }) => names.includes(name)), functions: [] })
}

/** How the database differs from these files, without changing it: null where it is empty. */
export async function differenceFrom(databaseUrl: string, files = readDatabaseFiles()): Promise<Difference | null> {
  const client = newClient(databaseUrl, "mailroom migrations")
  await client.connect()
  try {
    const { rows } = await client.query("select to_regclass('_prisma_migrations') is not null as made")
    if (!rows[0]?.made) return null
    return await comparedWith(client, files)
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
async function lock(client: pg.Client, waitMs: number, tell: (sentence: string) => void) {
  const startedAt = performance.now()
  for (let told = false; ;) {
    const { rows } = await client.query<{ locked: boolean }>("select pg_try_advisory_lock($1) as locked", [lockKey])
    if (rows[0]?.locked) return
    const waited = performance.now() - startedAt
    if (waited > waitMs)
      throw new Error("Another process is still migrating the database: start again when it has finished.")
    if (waited > lockToldAfterMs && !told) {
      told = true
      tell("Another process migrates the database: waiting until it has finished.")
    }
    await sleep(lockPollMs)
  }
}

type Applied = { migration_name: string; checksum: string; finished_at: Date | null; release: number | null }

/** What the files have and the database has not, and the names of what a newer version has brought. */
type Difference = { missing: SqlFile[]; unknown: string[] }

async function comparedWith(client: pg.Client, files: DatabaseFiles): Promise<Difference> {
  const { migrations, release: own = release } = files
  const applied = await appliedMigrations(client)
  const names = new Set(migrations.map(({ name }) => name))
  const unknown = [...applied.values()].filter(({ migration_name: name }) => !names.has(name))
  const missing = migrations.filter(({ name }) => !applied.has(name))
  const changed = migrations.find(({ name, sql }) => (applied.get(name)?.checksum ?? checksum(sql)) !== checksum(sql))
  // Another working copy has made it, or a version from before releases were counted.
  const foreign = unknown.find(({ release: brought }) => brought === null) ?? (missing.length > 0 ? unknown[0] : null)
  if (foreign) {
    throw new Error(
      `The database has the migration ${foreign.migration_name}, which this version does not know: a newer one has run on it.`,
    )
  }
  const tooNew = unknown.find(({ release: brought }) => (brought ?? 0) > own + 1)
  if (tooNew) {
    throw new Error(
      `The database has the migration ${tooNew.migration_name} of release ${tooNew.release}, and this version is of release ${own}: a version runs on the database of the next release, not on later ones. Start release ${(tooNew.release ?? 0) - 1} or a later one.`,
    )
  }
  if (changed) {
    throw new Error(
      `The migration ${changed.name} was changed after it was applied: restore the file and add a new migration.`,
    )
  }
  return { missing, unknown: unknown.map(({ migration_name: name }) => name) }
}

async function appliedMigrations(client: pg.Client): Promise<Map<string, Applied>> {
  const counted = await client.query("select to_regclass('_mailroom_releases') is not null as counted")
  const brought = counted.rows[0]?.counted
    ? "(select r.release from _mailroom_releases r where r.migration_name = m.migration_name)"
    : "null::int"
  const { rows } = await client.query<Applied>(
    `select migration_name, checksum, finished_at, ${brought} as release from _prisma_migrations m
      where rolled_back_at is null order by started_at`,
  )
  const unfinished = rows.find((row) => row.finished_at === null)
  if (unfinished) {
    throw new Error(
      `The migration ${unfinished.migration_name} was begun elsewhere and never finished: see prisma migrate resolve.`,
    )
  }
  return new Map(rows.map((row) => [row.migration_name, row]))
}

async function apply(client: pg.Client, migration: SqlFile, own: number) {
  if (migration.sql.startsWith("-- outside a transaction\n")) return applyOutside(client, migration, own)
  const once = () =>
    inTransaction(client, async () => {
      await client.query(`set local lock_timeout = '${lockTimeout}'`)
      await client.query(migration.sql)
      await record(client, migration, own)
    })
  await untilUnlocked(once).catch((error: Error) => {
    throw new Error(`The migration ${migration.name} failed and was rolled back: ${error.message}`, { cause: error })
  })
}

/** Recorded when all of it is done: after a failure or a crash it runs again from its first statement. */
async function applyOutside(client: pg.Client, migration: SqlFile, own: number) {
  for (const statement of statementsOf(migration.sql)) {
    // What is done concurrently waits for others without holding them up, and would be left half done.
    const patient = /\bconcurrently\b/i.test(statement)
    await client.query(`set lock_timeout = '${patient ? "0" : lockTimeout}'`)
    await untilUnlocked(() => applyStatement(client, statement)).catch((error: Error) => {
      throw new Error(
        `The migration ${migration.name} failed half way and runs again from its first statement at the next start: ${error.message}`,
        { cause: error },
      )
    })
  }
  await refuseUnfinishedIndexes(client, migration)
  await inTransaction(client, () => record(client, migration, own))
}

const concurrentIndex = /^CREATE INDEX CONCURRENTLY (\w+) ON (\w+) (.+)$/is

async function applyStatement(client: pg.Client, statement: string) {
  const [, index, table, rest] = concurrentIndex.exec(statement.replaceAll(/^--.*\n/gm, "")) ?? []
  if (!index || !table || !rest || !(await isPartitioned(client, table))) return client.query(statement)
  return indexPartitions(client, { index, table, rest })
}

async function isPartitioned(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query("select from pg_class where oid = to_regclass($1) and relkind = 'p'", [table])
  return rows.length > 0
}

/**
 * PostgreSQL makes no index on all partitions concurrently: so first on the parent alone, which new partitions follow, then on one
 * partition after the other. Those that have it are left as they are.
 */
async function indexPartitions(
  client: pg.Client,
  { index, table, rest }: { index: string; table: string; rest: string },
) {
  await client.query(`set lock_timeout = '${lockTimeout}'`)
  await client.query(`create index if not exists ${index} on only ${table} ${rest}`)
  const { rows } = await client.query<{ partition: string }>(
    `select c.relname as partition from pg_inherits p join pg_class c on c.oid = p.inhrelid
      where p.inhparent = to_regclass($1) and not exists (select from pg_index i join pg_inherits of on of.inhrelid = i.indexrelid
        where i.indrelid = p.inhrelid and of.inhparent = to_regclass($2))
      order by 1`,
    [table, index],
  )
  for (const { partition } of rows) {
    const own = `${partition}${index.startsWith(table) ? index.slice(table.length) : `_${index}`}`
    await client.query("set lock_timeout = 0")
    await client.query(`drop index concurrently if exists ${own}`)
    await client.query(`create index concurrently ${own} on ${partition} ${rest}`)
    await client.query(`set lock_timeout = '${lockTimeout}'`)
    await client.query(`alter index ${index} attach partition ${own}`)
  }
}

/** A statement ends with a semicolon at the end of a line, outside of a body in `$$`. */
export function statementsOf(sql: string): string[] {
  const statements: string[] = []
  let body = ""
  for (const part of sql.split(/;$/m)) {
    body += body ? `;${part}` : part
    if (body.split("$$").length % 2 === 0) continue
    statements.push(body.trim())
    body = ""
  }
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

async function record(client: pg.Client, { name, sql }: SqlFile, own: number) {
  await client.query(
    `insert into _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
      values ($1, $2, $3, now(), clock_timestamp(), 1)`,
    [randomUUID(), checksum(sql), name],
  )
  await client.query("insert into _mailroom_releases (migration_name, release) values ($1, $2)", [name, own])
}

/**
 * The release that this version is part of. Hosts of two releases that follow each other run on one database, so a migration
 * takes nothing away that the release before still uses (`migration-numbers.test.ts`). To begin a release, add one, and name the
 * last migration of the one that ended.
 */
export const release = 2

export const lastOfReleaseBefore = "0022_opted_out"
