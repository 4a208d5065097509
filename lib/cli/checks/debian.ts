import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, rmSync, writeFileSync } from "node:fs"
import { print } from "@/lib/server/processes/print"

/** A program or a file that tests need: its names on the PATH or its paths, the Debian packages that bring it, and what it is for. */
export type Needed = { names: string[]; debianPackages: string[]; purpose: string; hint?: string }

const installLimitMs = 600_000
const policyOfServices = "/usr/sbin/policy-rc.d"
let listsAreFresh = false

/** Where Debian installs the oldest PostgreSQL that is supported. */
export const debianPostgres = "/usr/lib/postgresql/15/bin"

/**
 * The path of a program: where it is, else Debian's packages, installed now as root.
 * @throws Error naming the command that someone with the right to must run
 */
export function findProgram({ names, debianPackages, purpose, hint = "" }: Needed): string {
  const packages = debianPackages.join(" ")
  const found = installed(names)
  if (found) return found
  if (process.getuid?.() !== 0 || !onPath("apt-get")) {
    throw new Error(`${purpose} need it: sudo apt-get install ${packages}${hint}.`)
  }
  print(`Installing ${packages}: ${purpose} need it (apt-get install ${packages}) …`)
  install(debianPackages)
  const now = installed(names)
  if (!now) throw new Error(`It could not be installed: apt-get install ${packages}`)
  return now
}

function install(packages: string[]) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" }
  const run = (...args: string[]) =>
    spawnSync("apt-get", args, { stdio: ["ignore", 2, 2], env, timeout: installLimitMs })
  const allow = refuseServices()
  try {
    if (!listsAreFresh) run("update", "-qq")
    listsAreFresh = true
    run("install", "-y", "-qq", "--no-install-recommends", ...packages)
  } finally {
    allow()
  }
}

/** Tests start their servers themselves, with their own files: Debian's must not start with the package. */
function refuseServices(): () => void {
  try {
    writeFileSync(policyOfServices, "#!/bin/sh\nexit 101\n", { mode: 0o755, flag: "wx" })
    return () => rmSync(policyOfServices, { force: true })
  } catch {
    // The machine has a policy of its own.
    return () => undefined
  }
}

function installed(names: string[]): string | null {
  return names.map((name) => (name.startsWith("/") && existsSync(name) ? name : onPath(name))).find(Boolean) ?? null
}

/** Where a program is that can be run by its name alone. */
export function onPath(name: string): string | null {
  try {
    return execFileSync("/bin/sh", ["-c", 'command -v "$1"', "sh", name], { encoding: "utf8" }).trim() || null
  } catch {
    return null
  }
}
