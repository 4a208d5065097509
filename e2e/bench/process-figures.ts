import { readFileSync } from "node:fs"
import { setTimeout as wait } from "node:timers/promises"

const lookEveryMs = 100
/** Clock ticks a second in /proc: Linux reports 100 whatever its own clock does (proc(5), sysconf(_SC_CLK_TCK)). */
const ticksPerSecond = 100

export type ProcessFigures = {
  /** Processor time by wall time. */
  cores: number
  /** The largest memory of any sample. */
  mostMb: number
}

/** What a process needs while `work` runs; null where the system has no /proc. */
export async function figuresWhile<T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ result: T; figures: ProcessFigures | null }> {
  const before = cpuSeconds(pid)
  const startedAt = performance.now()
  const done = new AbortController()
  const most = mostMemory(pid, done.signal)
  const result = await work().finally(() => done.abort())
  const [cpu, seconds, mostMb] = [cpuSeconds(pid), (performance.now() - startedAt) / 1_000, await most]
  if (before === null || cpu === null || mostMb === null) return { result, figures: null }
  return { result, figures: { cores: (cpu - before) / seconds, mostMb } }
}

/** Megabytes (2^20) of a process that lie in memory; null where the system has no /proc. */
export function memoryMb(pid: number): number | null {
  const kib = /VmRSS:\s+(\d+) kB/.exec(readText(`/proc/${pid}/status`))?.[1]
  return kib === undefined ? null : Number(kib) / 1_024
}

async function mostMemory(pid: number, until: AbortSignal): Promise<number | null> {
  let most = memoryMb(pid)
  while (most !== null && !until.aborted) {
    await wait(lookEveryMs)
    most = Math.max(most, memoryMb(pid) ?? 0)
  }
  return most
}

/** User and system time. The second field is the name and may hold anything, so it is cut off by its last parenthesis. */
function cpuSeconds(pid: number): number | null {
  const fields = readText(`/proc/${pid}/stat`).split(") ").pop()?.split(" ") ?? []
  const [user, system] = [Number(fields[11]), Number(fields[12])]
  return fields.length > 12 ? (user + system) / ticksPerSecond : null
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return ""
  }
}
