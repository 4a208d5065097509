import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseEnv } from "node:util"

/** Commands that run an installation, or act on one; builds, checks, tests and measurements have settings of their own. */
const ofInstallation = ["start", "dev", "admin", "demo"]

/**
 * Reads the variables of an installation from `.env` in its folder (lines of `NAME=value`); those that the environment has already
 * win. Answers whether there is such a file.
 * @throws if the file cannot be read
 */
export function readEnvFile(folder, command) {
  const file = join(folder, ".env")
  if (!ofInstallation.includes(command) || !existsSync(file)) return false
  // Editors on Windows begin a file with a byte order mark, which would be part of the first name.
  const given = parseEnv(readFileSync(file, "utf8").replace(/^\uFEFF/, ""))
  for (const [name, value] of Object.entries(given)) process.env[name] ??= value
  return true
}
