// The packages of package-lock.json, for launch.mjs. Running needs about half of them; the rest is for tests and checks.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** Prisma's command line loads its studio and its local server whatever it is asked for; `generate` uses neither. */
const unusedByPrisma = ["@prisma/dev", "@prisma/studio-core", "mysql2", "postgres"]
/** Source maps, and the query compilers of other databases: a quarter of what running needs. */
export const unusedFiles = /\.map$|^query_compiler_.*\.(cockroachdb|mysql|sqlite|sqlserver)\./

/** What only a build reads: its result holds what it took of them. */
const ofBuilds = new Set([
  ...[
    "@fontsource-variable/inter",
    "@tailwindcss/postcss",
    "@types/node",
    "@types/react",
    "esbuild",
    "lucide-react",
    "prisma",
  ],
  ...["tailwindcss", "typescript"],
])
const compilers = /^@next\/swc-/

const flags = ["ci", "--ignore-scripts", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"]

/** Whether npm has installed what the lock file asks for: `whole` with the packages of development. */
export function isInstalled(root, whole) {
  const installed = join(root, "node_modules", ".package-lock.json")
  if (!existsSync(installed)) return false
  const { packages } = readJson(root, "package-lock.json")
  const found = JSON.parse(readFileSync(installed, "utf8")).packages
  return Object.entries(whole ? packages : running(packages)).every(([path, wanted]) => {
    const { version, optional, devOptional, extraneous, link } = wanted
    if (path === "" || link) return true
    return found[path] ? found[path].version === version : Boolean(optional || devOptional || extraneous)
  })
}

/** `npm(args, folder)` runs npm in a folder, or stops. */
export function install(root, whole, npm) {
  if (whole) npm([...flags, "--include=dev"], root)
  else installForRunning(root, npm)
}

/**
 * Installed from a lock file of their own, in a folder that then takes its place: `--omit=dev` keeps what a dependency
 * names as an optional peer, such as a test runner.
 */
function installForRunning(root, npm) {
  const folder = join(root, "dist", "install")
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const manifest = { ...readJson(root, "package.json"), devDependencies: undefined, scripts: undefined }
  const lock = readJson(root, "package-lock.json")
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest))
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ ...lock, packages: running(lock.packages) }))
  npm([...flags, "--omit=dev"], folder)
  removeUnused(join(folder, "node_modules"))
  rmSync(join(root, "node_modules"), { recursive: true, force: true })
  renameSync(join(folder, "node_modules"), join(root, "node_modules"))
  rmSync(folder, { recursive: true, force: true })
}

/** The folders of the packages that running needs, below `root`. */
export function packagesOfRunning(root) {
  return Object.keys(running(readJson(root, "package-lock.json").packages)).filter((path) => path !== "")
}

/** Of those, the ones that what is built needs: a third less. */
export function packagesOfRelease(root) {
  const { packages } = readJson(root, "package-lock.json")
  const isLeftOut = (name) => ofBuilds.has(name) || compilers.test(name)
  return Object.keys(running(packages, isLeftOut)).filter((path) => path !== "")
}

/** The entries of a lock file that its dependencies lead to, without those of development. */
function running(packages, isLeftOut = () => false) {
  const kept = { "": { ...packages[""], devDependencies: undefined } }
  const waiting = [""]
  for (const path of waiting) {
    const entry = kept[path]
    const needed = { ...entry.dependencies, ...entry.optionalDependencies, ...requiredPeers(entry) }
    for (const name of Object.keys(needed)) {
      const found = isLeftOut(name) ? null : resolve(packages, path, name)
      if (!found || kept[found]) continue
      kept[found] = found === "node_modules/prisma" ? withoutUnused(packages[found]) : packages[found]
      waiting.push(found)
    }
  }
  return kept
}

function requiredPeers({ peerDependencies = {}, peerDependenciesMeta = {} }) {
  return Object.fromEntries(Object.entries(peerDependencies).filter(([name]) => !peerDependenciesMeta[name]?.optional))
}

function withoutUnused(entry) {
  const used = Object.entries(entry.dependencies).filter(([name]) => !unusedByPrisma.includes(name))
  return { ...entry, dependencies: Object.fromEntries(used) }
}

/** The entry that a package at `path` finds under a name: its own, else that of a folder above. */
function resolve(packages, path, name) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("node_modules/") - 1))) {
    const found = `${folder ? `${folder}/` : ""}node_modules/${name}`
    if (packages[found]) return found
    if (folder === "") return null
  }
}

function removeUnused(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && unusedFiles.test(entry.name)) rmSync(join(entry.parentPath, entry.name))
  }
}

function readJson(root, file) {
  return JSON.parse(readFileSync(join(root, file), "utf8"))
}
