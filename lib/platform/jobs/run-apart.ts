import { spawn } from "node:child_process"
import { once } from "node:events"
import { buffer, text } from "node:stream/consumers"
import { setPriority } from "node:os"

/** Exit code of a program that refuses its input: its reason is on stderr, as a sentence. */
export const refusedCode = 3

type ApartLimits = {
  /** Of all its threads. */
  cpuSeconds: number
  /** Longer than that it runs on no machine, however busy. */
  wallMs: number
  /** Of JavaScript's heap. */
  memoryMb: number
  outputBytesMax: number
}

type ApartOutcome =
  | { kind: "done"; output: Buffer }
  /** The program said why. */
  | { kind: "refused"; reason: string }
  /** It took more time, memory or output than it may, or failed. What it had written before is kept. */
  | { kind: "exceeded"; output: Buffer }
  /** It got too little of the machine to end in time, through no fault of its input. */
  | { kind: "late"; output: Buffer }

/**
 * Runs a program of ours on bytes that somebody else wrote, in a process of its own, with nothing of our configuration. Its time is counted in
 * CPU seconds: a busy machine makes it slow, not wrong.
 */
export async function runApart(args: string[], input: Uint8Array, limits: ApartLimits): Promise<ApartOutcome> {
  const { cpuSeconds, wallMs, memoryMb, outputBytesMax } = limits
  const command = [process.execPath, `--max-old-space-size=${memoryMb}`, ...args]
  // The shell has the limit that Node cannot set. Where there is none, the wall clock alone limits.
  const [file = "", ...rest] =
    process.platform === "win32" ? command : ["/bin/sh", "-c", `ulimit -S -t ${cpuSeconds}; exec "$0" "$@"`, ...command]
  const child = spawn(file, rest, { stdio: ["pipe", "pipe", "pipe"], env: { NODE_ENV: "production" } })
  if (child.pid !== undefined) yieldToOthers(child.pid)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    child.kill("SIGKILL")
  }, wallMs)
  // A process that ends before it has read everything closes the pipe.
  child.stdin.on("error", () => undefined)
  child.stdin.end(input)
  let length = 0
  child.stdout.on("data", (chunk: Buffer) => {
    length += chunk.length
    if (length > outputBytesMax) child.kill("SIGKILL")
  })
  try {
    const [output, reason, [code]] = await Promise.all([buffer(child.stdout), text(child.stderr), once(child, "close")])
    if (code === 0) return { kind: "done", output }
    if (code === refusedCode) return { kind: "refused", reason }
    return { kind: isLate ? "late" : "exceeded", output }
  } finally {
    clearTimeout(timer)
  }
}

/** Of -20 to 19, where 0 is usual. */
const lowPriority = 10

/** On a machine without a free core, whoever waits for a page or sends an email comes before this process. */
export function yieldToOthers(pid: number): void {
  try {
    setPriority(pid, lowPriority)
  } catch {
    // It has ended already, or the system does not allow it: then it is as important as the others.
  }
}
