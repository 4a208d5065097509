import { mkdirSync } from "node:fs"
import pg from "pg"
import { env, launchSettings, provideEnv, type Env } from "@/lib/platform/env"
import { migrate } from "@/lib/platform/migrations"
import { openPostgres, type EmbeddedPostgres } from "@/lib/platform/postgres/open"
import { claimInstallation } from "./installation"
import { generatedSecretKey } from "./secret-key"

export type Prepared = {
  env: Env
  /** Null where DATABASE_URL names the operator's own server. */
  postgres: EmbeddedPostgres | null
}

/**
 * What every command needs before it begins: a checked configuration, a database that answers and is migrated, and the
 * key that belongs to it. From here on `env()` is complete. Close `postgres` at the end.
 * @throws Error with a sentence for the operator
 */
export async function prepare(say: (sentence: string) => void): Promise<Prepared> {
  const settings = launchSettings()
  mkdirSync(settings.dataDir, { recursive: true, mode: 0o711 })
  const postgres = settings.databaseUrl ? null : await openPostgres({ dataDir: settings.dataDir })
  try {
    if (postgres) provideEnv({ DATABASE_URL: postgres.url })
    if (!settings.secretKey) provideEnv({ SECRET_KEY: generatedSecretKey(settings.dataDir) })
    const complete = env()
    await refuseUnfit(complete.databaseUrl)
    const applied = await migrate(complete.databaseUrl)
    if (applied.length > 0) say(`Migrated the database (${applied.length} new).`)
    await claimInstallation(complete.databaseUrl, complete.secretKey)
    return { env: complete, postgres }
  } catch (error) {
    await postgres?.close()
    throw error
  }
}

const oldestPostgres = 150_000

async function refuseUnfit(databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  client.on("error", () => undefined)
  try {
    await client.connect()
  } catch (error) {
    throw new Error(`The database of DATABASE_URL does not answer: ${(error as Error).message}`, { cause: error })
  }
  const { rows } = await client.query<{ version: number; encoding: string }>(
    "select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding",
  )
  await client.end()
  const [found] = rows
  if (!found || found.version < oldestPostgres) throw new Error("The database must be PostgreSQL 15 or newer.")
  if (found.encoding !== "UTF8") throw new Error(`The database must be encoded in UTF8; this one is ${found.encoding}.`)
}
