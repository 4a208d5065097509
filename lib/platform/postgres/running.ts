import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"

/** What PostgreSQL writes of itself into `postmaster.pid` (src/include/utils/pidfile.h). */
export type Postmaster = { pid: number; port: number; status: "starting" | "stopping" | "ready" | "standby" }

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
  return { pid, port: Number(lines[3]), status: status ?? "starting" }
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
export function startMark(pid: number): string {
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
