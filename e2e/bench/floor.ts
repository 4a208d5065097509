import { spawn, spawnSync, type ChildProcess } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"

const sources = ["app/echo/route.js", "app/layout.js", "app/page.js", "next.config.mjs"]

/**
 * Builds the bare handler of e2e/bench/floor apart from the product, unless that is done already.
 * @returns the folder to start it in
 */
export function buildFloor(print: (sentence: string) => void): string {
  const from = join(process.cwd(), "e2e", "bench", "floor")
  const folder = join(process.cwd(), "dist", "bench", "floor")
  const made = sources.map((file) => readFileSync(join(from, file), "utf8")).join("") + process.version
  const mark = join(folder, ".next", "made-of")
  if (existsSync(mark) && readFileSync(mark, "utf8") === made) return folder
  print("Building the bare handler that the ratios are taken to …")
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(from, folder, { recursive: true })
  const built = spawnSync(process.execPath, [nextProgram(), "build"], {
    cwd: folder,
    env: environment(),
    encoding: "utf8",
  })
  if (built.status !== 0) throw new Error(`The bare handler could not be built:\n${built.stdout}${built.stderr}`)
  writeFileSync(mark, made)
  return folder
}

export function startFloor(folder: string, port: number): ChildProcess {
  const args = [nextProgram(), "start", "--port", String(port), "--hostname", "127.0.0.1"]
  return spawn(process.execPath, args, { cwd: folder, env: environment(), stdio: ["ignore", "ignore", "inherit"] })
}

function environment(): NodeJS.ProcessEnv {
  return { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" }
}

function nextProgram(): string {
  return createRequire(join(process.cwd(), "package.json")).resolve("next/dist/bin/next")
}
