import { execFileSync, spawnSync } from "node:child_process"
import { say } from "./say"

/** A program that tests need: its names on the PATH, the Debian package that brings it, and what it is for. */
export type Needed = { names: string[]; debianPackage: string; purpose: string; hint?: string }

/**
 * The path of a program: where it is, else Debian's package, installed now as root.
 * @throws Error naming the command that someone with the right to must run
 */
export function findProgram({ names, debianPackage, purpose, hint = "" }: Needed): string {
  const found = installed(names)
  if (found) return found
  if (process.getuid?.() !== 0 || !onPath("apt-get")) {
    throw new Error(`${purpose} need it: sudo apt-get install ${debianPackage}${hint}.`)
  }
  say(`Installing ${debianPackage}: ${purpose} need it (apt-get install ${debianPackage}) …`)
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" }
  spawnSync("apt-get", ["update", "-qq"], { stdio: ["ignore", 2, 2], env })
  spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", debianPackage], { stdio: ["ignore", 2, 2], env })
  const now = installed(names)
  if (!now) throw new Error(`It could not be installed: apt-get install ${debianPackage}`)
  return now
}

function installed(names: string[]): string | null {
  return names.map(onPath).find(Boolean) ?? null
}

function onPath(name: string): string | null {
  try {
    return execFileSync("/bin/sh", ["-c", 'command -v "$1"', "sh", name], { encoding: "utf8" }).trim() || null
  } catch {
    return null
  }
}
