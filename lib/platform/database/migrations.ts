import { createHash, randomUUID } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import pg from "pg"

export type Migration = { name: string; sql: string }

/** Prisma's own number, so that its `migrate deploy` and ours never run at the same time. */
const lockKey = 72_707_369

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
 * Applies what is missing, in order of name, each migration in a transaction of its own.
 * @returns the names applied now
 * @throws Error with a sentence when the database and the files contradict each other
 */
export async function migrate(databaseUrl: string, migrations = readMigrations()): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: "mailroom migrations" })
  client.on("error", () => undefined)
  await client.connect()
  try {
    await client.query("select pg_advisory_lock($1)", [lockKey])
    await client.query(table)
    const missing = withoutApplied(migrations, await appliedChecksums(client))
    for (const migration of missing) await apply(client, migration)
    return missing.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

export function readMigrations(folder = join(process.cwd(), "prisma", "migrations")): Migration[] {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
  return names
    .sort()
    .map((name) => ({ name, file: join(folder, name, "migration.sql") }))
    .filter(({ file }) => existsSync(file))
    .map(({ name, file }) => ({ name, sql: readFileSync(file, "utf8") }))
}

type Applied = { migration_name: string; checksum: string; finished_at: Date | null }

async function appliedChecksums(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<Applied>(
    "select migration_name, checksum, finished_at from _prisma_migrations where rolled_back_at is null order by started_at",
  )
  const unfinished = rows.find((row) => row.finished_at === null)
  if (unfinished)
    throw new Error(
      `The migration ${unfinished.migration_name} was begun elsewhere and never finished: see prisma migrate resolve.`,
    )
  return new Map(rows.map((row) => [row.migration_name, row.checksum]))
}

function withoutApplied(migrations: Migration[], applied: Map<string, string>): Migration[] {
  const names = new Set(migrations.map(({ name }) => name))
  const unknown = [...applied.keys()].find((name) => !names.has(name))
  if (unknown)
    throw new Error(
      `The database has the migration ${unknown}, which this version does not know: a newer one has run on it.`,
    )

  const changed = migrations.find(({ name, sql }) => applied.has(name) && applied.get(name) !== checksum(sql))
  if (changed)
    throw new Error(
      `The migration ${changed.name} was changed after it was applied: restore the file and add a new migration.`,
    )
  return migrations.filter(({ name }) => !applied.has(name))
}

async function apply(client: pg.Client, { name, sql }: Migration) {
  try {
    await client.query("begin")
    await client.query(sql)
    await client.query(
      `insert into _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       values ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), checksum(sql), name],
    )
    await client.query("commit")
  } catch (error) {
    await client.query("rollback").catch(() => undefined)
    throw new Error(`The migration ${name} failed and was taken back: ${(error as Error).message}`, { cause: error })
  }
}

function checksum(sql: string): string {
  return createHash("sha256").update(sql).digest("hex")
}
