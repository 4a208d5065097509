import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { isStorageFault } from "@/lib/platform/storage-faults"
import { isAlive, startMark } from "@/lib/platform/postgres/running"

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
export function leave(dataDir: string): boolean {
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
  if (!existsSync(lock)) return true
  try {
    const owner = JSON.parse(readFileSync(lock, "utf8")) as { pid: number; mark: string }
    return isAlive(owner.pid) && startMark(owner.pid) === owner.mark
  } catch (error) {
    // Released in the meantime: the next attempt takes it.
    return (error as NodeJS.ErrnoException).code === "ENOENT"
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
