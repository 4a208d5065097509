import { execFileSync } from "node:child_process"
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { isStorageFault } from "@/lib/platform/storage/store"

/**
 * Tracks who uses the embedded server, with a file per process. The last one stops the server, so that an admin command
 * that began before `npm start` does not stop it while the product runs.
 */
export function enter(dataDir: string) {
  if (existsSync(join(folder(dataDir), String(process.pid))) && isSame(dataDir, String(process.pid))) return
  mkdirSync(folder(dataDir), { recursive: true, mode: 0o700 })
  writeFileSync(join(folder(dataDir), String(process.pid)), startMark(process.pid), { mode: 0o600 })
}

/** Returns true if no other process uses the server any more. */
export function leaveServer(dataDir: string): boolean {
  rmSync(join(folder(dataDir), String(process.pid)), { force: true })
  return readdirSync(folder(dataDir)).every((name) => !isSame(dataDir, name))
}

/**
 * Runs `work` while no other process opens or closes this database. `evenIfFull`: a disk that has no room for the lock does
 * not stop it, so that a server can be stopped.
 */
export async function exclusively<T>(dataDir: string, work: () => Promise<T>, { evenIfFull = false } = {}): Promise<T> {
  const lock = join(dataDir, "postgres.lock")
  try {
    while (!take(lock)) await wait(50)
  } catch (error) {
    if (evenIfFull && isStorageFault(error)) return work()
    throw error
  }
  try {
    return await work()
  } finally {
    rmSync(lock, { force: true })
  }
}

function take(lock: string): boolean {
  // Linked into place with its content, so that no process reads an incomplete lock.
  const mine = `${lock}.${process.pid}`
  try {
    writeFileSync(mine, JSON.stringify({ pid: process.pid, mark: startMark(process.pid) }), { mode: 0o600 })
    linkSync(mine, lock)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  } finally {
    rmSync(mine, { force: true })
  }
  if (!isHeld(lock)) rmSync(lock, { force: true })
  return false
}

function isHeld(lock: string): boolean {
  const content = contentOf(lock)
  // Released in the meantime: the next attempt takes it.
  if (content === null || isOfLiving(content)) return true
  // Who has ended since may have released it before: then it is another process's now.
  return contentOf(lock) !== content
}

/** A machine that stopped suddenly may leave a lock without its content. */
function isOfLiving(content: string): boolean {
  try {
    const owner = JSON.parse(content) as { pid: number; mark: string }
    return isAlive(owner.pid) && startMark(owner.pid) === owner.mark
  } catch {
    return false
  }
}

function contentOf(lock: string): string | null {
  try {
    return readFileSync(lock, "utf8")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null
    throw error
  }
}

function isSame(dataDir: string, name: string): boolean {
  const file = join(folder(dataDir), name)
  const same = isAlive(Number(name)) && readFileSync(file, "utf8") === startMark(Number(name))
  if (!same) rmSync(file, { force: true })
  return same
}

function folder(dataDir: string): string {
  return join(dataDir, "postgres-users")
}

/** What PostgreSQL writes of itself into `postmaster.pid` (src/include/utils/pidfile.h). */
export type Postmaster = {
  pid: number
  folder: string
  port: number
  status: "starting" | "stopping" | "ready" | "standby"
}

/** The server that runs on this data folder; null when none does, whatever a crash left in the file. */
export function runningPostmaster(dataFolder: string): Postmaster | null {
  const file = join(dataFolder, "postmaster.pid")
  if (!existsSync(file)) return null
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .map((line) => line.trim())
  const pid = Number(lines[0])
  // After a restart of the machine another process may have the number: only a postgres counts.
  if (!pid || !isAlive(pid) || !/^(postgres|postmaster)(\.exe)?$/.test(programOf(pid))) return null
  const status = (["starting", "stopping", "ready", "standby"] as const).find((known) => known === lines[7])
  return { pid, folder: lines[1] ?? "", port: Number(lines[3]), status: status ?? "starting" }
}

/** EPERM means that it lives and belongs to someone else. A zombie is dead. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
  return !/^\d+ \(.*\) Z/s.test(procFile(pid, "stat") ?? "")
}

/** Distinguishes two processes that had the same id one after the other. */
function startMark(pid: number): string {
  const stat = procFile(pid, "stat")
  if (stat) return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? ""
  return ps("lstart=", pid)
}

function programOf(pid: number): string {
  return basename((procFile(pid, "comm") ?? ps("comm=", pid)).trim())
}

function procFile(pid: number, name: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8")
  } catch {
    return null
  }
}

function ps(field: string, pid: number): string {
  try {
    return execFileSync("ps", ["-o", field, "-p", String(pid)], { encoding: "utf8" }).trim()
  } catch {
    return ""
  }
}
