import { mkdirSync, existsSync, readFileSync } from "node:fs"
import { env, launchSettings, provideEnv, type Env, isSecretKey, secretKeyOf } from "@/lib/platform/env/env"
import type { Settings } from "@/lib/platform/env/settings"
import { differenceFrom, migrate } from "@/lib/platform/database/migrations"
import { openPostgres, type EmbeddedPostgres } from "@/lib/platform/postgres/open"
import { RegionVariables } from "@/lib/regions/settings"
import { SubmissionVariables } from "@/lib/delivery/smtp/submission-settings"
import { connectionsOf, fitPooler, refuseUnfit } from "@/lib/server/processes/fit-database"
import { createHash, randomBytes } from "node:crypto"
import { createSocket } from "node:dgram"
import { createServer } from "node:net"
import { join } from "node:path"
import pg from "pg"
import { newClient } from "@/lib/platform/database/client"
import { writeDurably } from "@/lib/platform/durable-file"
import { knownKeyId, recordKeyId, storeSetUpToken } from "@/lib/projects/installation/data"

/** The database lacks migrations of this version. */
export class OlderDatabase extends Error {}

type PreparedInstallation = {
  env: Env
  /** Null where DATABASE_URL names the operator's own server. */
  postgres: EmbeddedPostgres | null
}

/**
 * What every command needs before it begins: a checked configuration, a database that answers and is migrated, and the
 * key that belongs to it. Without `migrates` only an empty database is set up; without `claims` its key may be another one, as before a
 * restore, which brings the key's id. `signal` ends it where it is. From here on `env()` is complete. Close `postgres` at the end.
 * @throws Error with a sentence for the operator
 */
export async function prepareInstallation(
  print: (sentence: string) => void,
  { migrates = true, claims = true, signal }: { migrates?: boolean; claims?: boolean; signal?: AbortSignal } = {},
): Promise<PreparedInstallation> {
  const settings = launchSettings([RegionVariables, SubmissionVariables])
  mkdirSync(settings.dataDir, { recursive: true, mode: 0o711 })
  const postgres = settings.databaseUrl ? null : await openPostgres(embeddedOptions(settings))
  try {
    signal?.throwIfAborted()
    if (postgres) provideEnv({ DATABASE_URL: postgres.url })
    if (postgres && !settings.secretKey)
      provideEnv({ SECRET_KEY: await storedSecretKey(settings.dataDir, postgres.url, { claims }) })
    const complete = env()
    await refuseUnfit(complete.databaseUrl)
    if (complete.pooledDatabaseUrl) await fitPooler(complete.databaseUrl, complete.pooledDatabaseUrl)
    if (migrates || (await isEmptyOrOurs(complete.databaseUrl)) === "empty") {
      const applied = await migrate(complete.databaseUrl, undefined, { tell: print, ...(signal && { signal }) })
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

/** Identifies a key without revealing it. */
export function idOf(key: Buffer): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 16)
}

function keyIdOf(key: string): string {
  return idOf(secretKeyOf(key))
}

/** The id of the key that this database was set up with; null while it has none. */
function keyIdOfDatabase(databaseUrl: string): Promise<string | null> {
  return connected(databaseUrl, knownKeyId)
}

/**
 * Records which key this database belongs to, or checks it.
 * @throws Error when the database was set up with another key: its secrets could not be read
 */
export async function claimInstallation(databaseUrl: string, secretKey: Buffer) {
  const keyId = idOf(secretKey)
  const known = await connected(databaseUrl, (client) => recordKeyId(keyId, client))
  if (known === keyId) return
  throw new Error(
    `This database was set up with another SECRET_KEY (its id is ${known}, this one's is ${keyId}). ` +
      "Start with that key: what is encrypted with it cannot be read with another.",
  )
}

/** A new one-time token for `/setup`, of which only the hash is stored; null once the first run is completed. */
export async function firstRunToken(databaseUrl: string): Promise<string | null> {
  const token = randomBytes(32).toString("base64url")
  const hash = createHash("sha256").update(token).digest()
  return (await connected(databaseUrl, (client) => storeSetUpToken(hash, client))) ? token : null
}

async function connected<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = newClient(databaseUrl, "mailroom start")
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/**
 * The key of an installation with an embedded database: created once, while the database has none, and stored in
 * `.data/secret-key` (0600). Without it the stored secrets cannot be read: include it in the backup. Without `claims` it may be
 * another one than the database's, as before a restore.
 * @throws Error with what to do when the file is missing, damaged or another installation's; it is left as it is
 */
export async function storedSecretKey(
  dataDir: string,
  databaseUrl: string,
  { claims = true }: { claims?: boolean } = {},
): Promise<string> {
  const file = join(dataDir, "secret-key")
  const known = await keyIdOfDatabase(databaseUrl)
  // Exclusive, so that two commands started at the same time do not use different keys.
  if (!existsSync(file) && known === null)
    writeDurably(file, `${randomBytes(32).toString("base64")}\n`, { exclusive: true })
  const restore = `Restore ${file} from the backup, or set SECRET_KEY to the key that this database was set up with (its id is ${known}). No other key can read what is encrypted with it.`
  if (!existsSync(file)) throw new Error(`${file} is missing. ${restore}`)

  const key = readFileSync(file, "utf8").trim()
  if (!isSecretKey(key)) {
    throw new Error(
      `${file} is damaged: it must hold 32 bytes in base64. ${known === null ? "No database uses it yet: remove it, and start again." : restore}`,
    )
  }
  if (claims && known !== null && keyIdOf(key) !== known)
    throw new Error(`${file} holds the key of another installation. ${restore}`)
  return key
}

export type WantedPort = {
  port: number
  variable: string
  host?: string | undefined
  hostVariable?: string
  udp?: true
}

/** One sentence for each port in use by another program, naming the variable that changes ours. */
export async function takenPorts(wanted: WantedPort[]): Promise<string[]> {
  const problems = await Promise.all(
    wanted.map(async ({ port, variable, host, hostVariable, udp }) => {
      const code = udp ? await udpErrorCode(port, host) : await tcpErrorCode(port, host)
      if (code === null) return null
      if (code === "EADDRNOTAVAIL" && host && hostVariable)
        return `${hostVariable}=${host} is no address of this machine: behind NAT use its private one, or leave it out for all.`
      if (code === "EACCES")
        return `Port ${port} may not be opened by this user. Choose another: ${variable}=${port + 8000} npm start`
      return `Port ${port} is in use by another program. Stop that, or choose another: ${variable}=${port + 1} npm start`
    }),
  )
  return problems.filter((sentence) => sentence !== null)
}

function udpErrorCode(port: number, host: string | undefined): Promise<string | null> {
  return new Promise((resolve) => {
    const probe = createSocket("udp4")
    probe.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "EADDRINUSE"))
    probe.bind(port, host, () => probe.close(() => resolve(null)))
  })
}

function tcpErrorCode(port: number, host: string | undefined): Promise<string | null> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "EADDRINUSE"))
    probe.listen({ port, host }, () => probe.close(() => resolve(null)))
  })
}
