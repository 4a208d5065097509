import { randomBytes } from "node:crypto"
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/**
 * The key of an installation that brings its own database, made once and kept in `.data/secret-key` (0600). Without it
 * the stored secrets cannot be read: it belongs into the backup.
 */
export function generatedSecretKey(dataDir: string): string {
  const file = join(dataDir, "secret-key")
  if (!existsSync(file)) make(file)
  return readFileSync(file, "utf8").trim()
}

// Linked into place: two commands that start together must not each believe in a key of their own.
function make(file: string) {
  const mine = `${file}.${process.pid}`
  writeFileSync(mine, `${randomBytes(32).toString("base64")}\n`, { mode: 0o600 })
  try {
    linkSync(mine, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  } finally {
    rmSync(mine)
  }
}
