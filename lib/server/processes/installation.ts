import { createHash, randomBytes } from "node:crypto"
import { createSocket } from "node:dgram"
import { existsSync, readFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import type pg from "pg"
import { newClient } from "@/lib/platform/database/client"
import { writeDurably } from "@/lib/platform/durable-file"
import { isSecretKey, secretKeyOf } from "@/lib/platform/env/env"
import { knownKeyId, recordKeyId, storeSetUpToken } from "@/lib/projects/installation/data"

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
 * `.data/secret-key` (0600). Without it the stored secrets cannot be read: include it in the backup.
 * @throws Error with what to do when the file is missing, damaged or another installation's; it is left as it is
 */
export async function storedSecretKey(dataDir: string, databaseUrl: string): Promise<string> {
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
  if (known !== null && keyIdOf(key) !== known)
    throw new Error(`${file} holds the key of another installation. ${restore}`)
  return key
}

export type WantedPort = { port: number; variable: string; host?: string | undefined; udp?: true }

/** One sentence for each port in use by another program, naming the variable that changes ours. */
export async function takenPorts(wanted: WantedPort[]): Promise<string[]> {
  const problems = await Promise.all(
    wanted.map(async ({ port, variable, host, udp }) => {
      const code = udp ? await udpErrorCode(port, host) : await tcpErrorCode(port, host)
      if (code === null) return null
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
