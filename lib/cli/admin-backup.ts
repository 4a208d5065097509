import { createReadStream, createWriteStream, existsSync, rmSync } from "node:fs"
import { rename } from "node:fs/promises"
import { pipeline } from "node:stream"
import { finished } from "node:stream/promises"
import { createGunzip, createGzip } from "node:zlib"
import { dropSystemMails } from "@/lib/access/system-mail/data"
import { pauseForRestore } from "@/lib/broadcasts/sending/data"
import { doubtWaiting } from "@/lib/delivery/queue/claims/data"
import { newClient } from "@/lib/platform/database/client"
import { closeDatabase, pool } from "@/lib/platform/database/db"
import { recreateSchema, migrate } from "@/lib/platform/database/migrations"
import { env } from "@/lib/platform/env/env"
import {
  backUp,
  endHold,
  heldSince,
  isOfEarlierVersion,
  linesOf,
  openBackup,
  type OpenBackup,
  restoreBackup,
} from "@/lib/platform/postgres/backup"
import { connectedHosts } from "@/lib/platform/postgres/connected-hosts"
import { allProjectIds } from "@/lib/projects/data"
import { objectsFolder } from "@/lib/platform/storage/storage"
import { rememberBackup } from "@/lib/projects/installation/store"
import { idOf } from "@/lib/server/processes/prepare"
import { flags, Refusal, usage } from "@/lib/cli/admin-arguments"

/** What a backup does not hold. */
function filesBeside(): string {
  const { s3, dataDir } = env()
  const objects = s3 ? "The files of S3_URL" : `The files in ${objectsFolder(dataDir)}`
  return `${objects} and SECRET_KEY are not in it: keep them too.`
}

/** Writes the database as of one moment, while Mailroom runs. */
export function backupToFile(args: string[]) {
  const { file } = flags(args, "file")
  const path = file as string
  if (existsSync(path)) throw usage(`${path} exists.`)
  return () =>
    connected(async (client) => {
      const packed = createGzip()
      const written = finished(packed.pipe(createWriteStream(`${path}.half`, { mode: 0o600 })))
      try {
        const backingUp = backUp(client, packed).finally(() => packed.end())
        // A fault of the file ends the command, whatever waits to be written.
        const [{ header, rows }] = await Promise.all([backingUp, written])
        await rename(`${path}.half`, path)
        await rememberBackup(new Date(header.at))
        return { file: path, at: header.at, rows, files: filesBeside() }
      } catch (error) {
        rmSync(`${path}.half`, { force: true })
        throw error
      }
    })
}

/** Fills an empty database from a backup. Nothing is sent from it until `release`. */
export function restoreFromFile(args: string[]) {
  const { file } = flags(args, "file")
  return () =>
    connected(async (client) => {
      // A fault of the file ends the reading of what is unpacked.
      const unpacked = pipeline(createReadStream(file as string), createGunzip(), () => undefined)
      const backup = await openBackup(linesOf(unpacked)).catch(asNoBackup)
      const earlier = await isOfEarlierVersion(client, backup, idOf(env().secretKey))
      await refuseRunning(client)
      const { rows, at } = earlier ? await restoreEarlier(backup) : await restoreBackup(client, backup)
      return { at, rows, held: true, next: "npm run --silent admin -- release" }
    })
}

/** What gzip did not write is named as what it is, and not by a word of zlib. */
function asNoBackup(error: NodeJS.ErrnoException): never {
  throw error.code === "Z_DATA_ERROR" ? new Error("The file is not a backup.") : error
}

/** A worker asks once, when it starts, whether it is held: one that runs would send what waited in the backup. */
async function refuseRunning(client: ReturnType<typeof newClient>) {
  const hosts = (await connectedHosts(client)).map(({ host }) => host)
  if (hosts.length > 0)
    throw new Refusal(
      "restore.running",
      `Mailroom runs on this database (${hosts.join(", ")}): stop it there, then run restore again.`,
    )
}

/** The rows come as that version left them, and the migrations since then change them as they would have changed them there. */
async function restoreEarlier(backup: OpenBackup) {
  const { databaseUrl } = env()
  await closeDatabase()
  try {
    await recreateSchema(databaseUrl, backup.header.migrations)
    // A connection of before remembers tables that are gone.
    return await connected((client) => restoreBackup(client, backup))
  } finally {
    await migrate(databaseUrl)
  }
}

/** Says what of the backup waits in a restored installation, and with `--waiting` lets it work again. */
export function releaseRestored(args: string[]) {
  const { waiting } = flags(args, "waiting?")
  if (waiting !== undefined && waiting !== "not-sent-again" && waiting !== "send")
    throw usage("--waiting is not-sent-again or send.")
  return async () => {
    const at = await heldSince(pool())
    if (!at)
      throw new Refusal("release.not_held", "This installation is not held: it was not restored, or is released.")
    let emails = 0
    for (const projectId of await allProjectIds()) {
      emails += await doubtWaiting(projectId, { until: at, marks: waiting === "not-sent-again" })
      if (waiting === "not-sent-again") await pauseForRestore(projectId, at)
    }
    if (waiting === "not-sent-again") await dropSystemMails(at)
    if (waiting !== undefined) await endHold(pool())
    return { at: at.toISOString(), waiting: emails, released: waiting !== undefined }
  }
}

async function connected<T>(work: (client: ReturnType<typeof newClient>) => Promise<T>): Promise<T> {
  const client = newClient(env().databaseUrl, "mailroom backup", {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
