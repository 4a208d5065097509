import { execFileSync, spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { say } from "./say"

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"]
const macOs = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"

/**
 * The browser for the tests: CHROMIUM_PATH, else one that is installed, else Debian's package, installed now as root.
 * @throws Error naming the command that someone with the right to must run
 */
export function findChromium(): string {
  const found = process.env.CHROMIUM_PATH || installed()
  if (found) return found
  if (process.getuid?.() !== 0 || !onPath("apt-get")) {
    throw new Error("The browser tests need Chromium: sudo apt-get install chromium, or set CHROMIUM_PATH.")
  }
  say("Installing Chromium for the browser tests (apt-get install chromium) …")
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" }
  spawnSync("apt-get", ["update", "-qq"], { stdio: ["ignore", 2, 2], env })
  spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium"], { stdio: ["ignore", 2, 2], env })
  const now = installed()
  if (!now) throw new Error("Chromium could not be installed: apt-get install chromium")
  return now
}

function installed(): string | null {
  return names.map(onPath).find(Boolean) ?? (existsSync(macOs) ? macOs : null)
}

function onPath(name: string): string | null {
  try {
    return execFileSync("/bin/sh", ["-c", 'command -v "$1"', "sh", name], { encoding: "utf8" }).trim() || null
  } catch {
    return null
  }
}
