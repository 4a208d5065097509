import { mkdirSync } from "node:fs"
import { env, launchSettings, provideEnv, type Env } from "@/lib/platform/env/env"
import type { Settings } from "@/lib/platform/env/settings"
import { differenceFrom, migrate } from "@/lib/platform/database/migrations"
import { openPostgres, type EmbeddedPostgres } from "@/lib/platform/postgres/open"
import { RegionVariables } from "@/lib/regions/settings"
import { SubmissionVariables } from "@/lib/delivery/smtp/submission-settings"
import { connectionsOf, fitPooler, refuseUnfit } from "@/lib/server/processes/fit-database"
import { claimInstallation, storedSecretKey } from "@/lib/server/processes/installation"

/** The database lacks migrations of this version. */
export class OlderDatabase extends Error {}

export type PreparedInstallation = {
  env: Env
  /** Null where DATABASE_URL names the operator's own server. */
  postgres: EmbeddedPostgres | null
}

/**
 * What every command needs before it begins: a checked configuration, a database that answers and is migrated, and the
 * key that belongs to it. Without `migrates` only an empty database is set up; without `claims` its key may be another one, as before a
 * restore, which brings the key's id. From here on `env()` is complete. Close `postgres` at the end.
 * @throws Error with a sentence for the operator
 */
export async function prepareInstallation(
  print: (sentence: string) => void,
  { migrates = true, claims = true } = {},
): Promise<PreparedInstallation> {
  const settings = launchSettings([RegionVariables, SubmissionVariables])
  mkdirSync(settings.dataDir, { recursive: true, mode: 0o711 })
  const postgres = settings.databaseUrl ? null : await openPostgres(embeddedOptions(settings))
  try {
    if (postgres) provideEnv({ DATABASE_URL: postgres.url })
    if (postgres && !settings.secretKey)
      provideEnv({ SECRET_KEY: await storedSecretKey(settings.dataDir, postgres.url) })
    const complete = env()
    await refuseUnfit(complete.databaseUrl)
    if (complete.pooledDatabaseUrl) await fitPooler(complete.databaseUrl, complete.pooledDatabaseUrl)
    if (migrates || (await isEmptyOrOurs(complete.databaseUrl)) === "empty") {
      const applied = await migrate(complete.databaseUrl, undefined, { tell: print })
      if (applied.length > 0) print(`Migrated the database (${applied.length} new).`)
    }
    if (claims) await claimInstallation(complete.databaseUrl, complete.secretKey)
    return { env: complete, postgres }
  } catch (error) {
    await postgres?.close()
    throw error
  }
}

/**
 * Only a start changes the database of an installation that is there: a command of a newer version would upgrade it under the
 * hosts that run.
 * @throws OlderDatabase with what to do
 */
async function isEmptyOrOurs(databaseUrl: string): Promise<"empty" | "ours"> {
  const difference = await differenceFrom(databaseUrl)
  if (!difference) return "empty"
  const more = difference.missing.length
  const [first] = difference.missing
  if (!first) return "ours"
  throw new OlderDatabase(
    `The database is of an older version: it lacks ${first.name}${more > 1 ? ` and ${more - 1} more migrations` : ""}. ` +
      "This command does not migrate it. Run the command of the version that is running, or start this version first: npm start.",
  )
}

/** The embedded server, with room for the connections of all processes. */
export function embeddedOptions(
  settings: Pick<Settings, "dataDir" | "mode" | "roles" | "webProcesses">,
): Parameters<typeof openPostgres>[0] {
  const connections = Math.max(leastConnections, connectionsOf(settings) + spareConnections)
  return { dataDir: settings.dataDir, settings: { max_connections: String(connections) } }
}

const leastConnections = 200
const spareConnections = 50
