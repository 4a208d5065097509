import { readdirSync, readFileSync } from "node:fs"

/** Clock ticks a second in /proc: Linux reports 100 whatever its own clock does (proc(5), sysconf(_SC_CLK_TCK)). */
const ticksPerSecond = 100

export type ProcessUse = {
  pid: number
  command: string
  /** User and system time, with that of its children that have ended. */
  cpuSeconds: number
  /** Its part of the memory: what processes share is counted once over all of them (PSS). */
  megabytes: number
}

/** A process and all below it; empty where the system has no /proc. */
export function processTree(root: number): ProcessUse[] {
  const all = processIds().flatMap((pid) => statOf(pid) ?? [])
  const found = new Set([root])
  for (let before = 0; before < found.size;) {
    before = found.size
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid)
  }
  return all
    .filter(({ pid }) => found.has(pid))
    .map(({ pid, cpuSeconds }) => ({ pid, cpuSeconds, command: commandOf(pid), megabytes: megabytesOf(pid) }))
}

function processIds(): number[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

/** The second field is the name and may hold anything, so it is cut off by its last parenthesis. */
function statOf(pid: number): { pid: number; parent: number; cpuSeconds: number } | null {
  const [, parent, ...fields] = readProc(pid, "stat").split(") ").pop()?.split(" ").map(Number) ?? []
  if (parent === undefined) return null
  // utime, stime, cutime, cstime: fields 14 to 17.
  const ticks = fields.slice(9, 13).reduce((sum, each) => sum + each, 0)
  return { pid, parent, cpuSeconds: ticks / ticksPerSecond }
}

function commandOf(pid: number): string {
  return readProc(pid, "cmdline").replaceAll("\0", " ").trim()
}

function megabytesOf(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB/m.exec(readProc(pid, "smaps_rollup"))?.[1] ?? 0) / 1_024
}

/** Empty for a process that has just ended. */
function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8")
  } catch {
    return ""
  }
}
