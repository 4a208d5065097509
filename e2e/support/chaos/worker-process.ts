import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { build } from "esbuild"

/** Bundles a program of this folder as the launcher does; start it as often as wanted. */
export async function buildWorker(entry = "short-lease-worker") {
  // Inside the checkout, so that packages are found.
  const file = join("dist", `chaos-${entry}-${process.pid}.js`)
  await build({
    entryPoints: [`e2e/support/chaos/${entry}.ts`],
    outfile: file,
    bundle: true,
    packages: "external",
    alias: { "@": process.cwd() },
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
  })
  return {
    start: (env: Record<string, string>) => startProcess(file, env),
    remove: () => rmSync(file, { force: true }),
  }
}

export type WorkerProcess = {
  pid: number
  output(): string
  isAlive(): boolean
  /** Its exit code, once it has ended by itself. */
  ended(): Promise<number | null>
  end(signal: NodeJS.Signals): Promise<number | null>
}

function startProcess(file: string, env: Record<string, string>): WorkerProcess {
  const child = spawn(process.execPath, [file], { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] })
  let output = ""
  child.stdout.on("data", (text: Buffer) => (output += text.toString()))
  child.stderr.on("data", (text: Buffer) => (output += text.toString()))
  const closed = once(child, "close")
  const ended = async () => (await closed, child.exitCode)
  const isAlive = () => child.exitCode === null && child.signalCode === null
  return { pid: child.pid ?? 0, output: () => output, isAlive, ended, end: (signal) => end(child, signal) }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const exited = once(child, "exit")
  child.kill(signal)
  await exited
  return child.exitCode
}
