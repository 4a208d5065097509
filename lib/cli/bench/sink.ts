import { fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { stopping } from "@/lib/cli/bench/stage"

/**
 * A mail server that takes everything and keeps nothing, in a process of its own: it reads commands and the final dot,
 * and so costs next to nothing beside what it is there to measure.
 */
export async function startSink(): Promise<{ port: number; stop(): Promise<void> }> {
  const child = fork(join(process.cwd(), "e2e", "bench", "sink.mjs"), { stdio: ["ignore", "ignore", "inherit", "ipc"] })
  const [port] = (await once(child, "message")) as [number]
  return { port, ...stopping(child) }
}
