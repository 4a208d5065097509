import { randomBytes } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { writeDurably } from "@/lib/platform/durable-file"
import { isSecretKey } from "@/lib/platform/env/env"
import { keyIdOf, keyIdOfDatabase } from "@/lib/server/processes/installation"

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
