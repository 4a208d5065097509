import { mkdirSync } from "node:fs"
import { env, launchSettings, provideEnv, type Env } from "@/lib/platform/env/env"
import type { Settings } from "@/lib/platform/env/settings"
import { migrate } from "@/lib/platform/database/migrations"
import { openPostgres, type EmbeddedPostgres } from "@/lib/platform/postgres/open"
import { connectionsOf, refuseUnfit } from "@/lib/cli/supervisor/fit-database"
import { claimInstallation } from "@/lib/cli/supervisor/installation"
import { storedSecretKey } from "@/lib/cli/supervisor/secret-key"

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
export async function prepare(print: (sentence: string) => void): Promise<Prepared> {
  const settings = launchSettings()
  mkdirSync(settings.dataDir, { recursive: true, mode: 0o711 })
  const postgres = settings.databaseUrl ? null : await openPostgres(embeddedOptions(settings))
  try {
    if (postgres) provideEnv({ DATABASE_URL: postgres.url })
    if (postgres && !settings.secretKey)
      provideEnv({ SECRET_KEY: await storedSecretKey(settings.dataDir, postgres.url) })
    const complete = env()
    await refuseUnfit(complete.databaseUrl)
    const applied = await migrate(complete.databaseUrl)
    if (applied.length > 0) print(`Migrated the database (${applied.length} new).`)
    await claimInstallation(complete.databaseUrl, complete.secretKey)
    return { env: complete, postgres }
  } catch (error) {
    await postgres?.close()
    throw error
  }
}

/** The embedded server, with room for the connections of all processes. */
export function embeddedOptions(
  settings: Pick<Settings, "dataDir" | "mode" | "webProcesses">,
): Parameters<typeof openPostgres>[0] {
  const connections = Math.max(leastConnections, connectionsOf(settings) + spareConnections)
  return { dataDir: settings.dataDir, settings: { max_connections: String(connections) } }
}

const leastConnections = 200
const spareConnections = 50
