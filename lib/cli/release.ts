import {
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { releaseMark } from "@/lib/server/build/next-build"
import { packagesOfRelease, unusedFiles } from "@/lib/cli/install.mjs"

/** What a host runs: the bundles, the pages, the files of the database, and what is read while it runs. */
const paths = [
  ".next",
  "LICENSE",
  "README.md",
  "app/docs/(guides)",
  "lib/cli/Caddyfile",
  "lib/cli/README.md",
  "lib/deploy",
  "lib/platform/images/image-process.mjs",
  "next.config.mjs",
  "prisma/after-functions.sql",
  "prisma/functions",
  "prisma/migrations",
  "public",
]
/** What only the next build or a type checker reads. */
const ofBuilds = /^\.next\/(cache|diagnostics|trace|trace-build|types|turbopack)$/
/** Variables of this machine, with its keys: compose reads those beside compose.yml. */
const secrets = /(^|\/)\.env(\.[^/]*)?$/

/** Commands that need the sources. */
const scripts = ["start", "admin", "demo", "mcp"]

/**
 * Copies what running needs to `dist/release`, which works at any path and on any host of the same platform. Replaces an earlier one.
 * @returns the folder
 */
export function makeRelease(root = process.cwd()): string {
  const programs = readdirSync(join(root, "dist")).filter(
    (name) => /\.js(\.map)?$/.test(name) && !name.startsWith("build."),
  )
  const folder = join(root, "dist", "release")
  const half = `${folder}.half`
  rmSync(half, { recursive: true, force: true })
  mkdirSync(half, { recursive: true })
  const packages = packagesOfRelease(root).filter((path) => existsSync(join(root, path)))
  for (const path of [...paths, ...launchScripts(root), ...programs.map((name) => `dist/${name}`)].filter((each) =>
    existsSync(join(root, each)),
  ))
    copy(root, half, path, (below) => !ofBuilds.test(below) && !secrets.test(below) && !below.endsWith(".test.ts"))
  for (const path of packages)
    copy(root, half, path, (below) => !below.slice(path.length).includes("/node_modules") && !unusedFiles.test(below))
  for (const name of namesOfRoot) forgetRoot(join(half, ".next", name), root)
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest
  const { devDependencies: _, ...rest } = manifest
  const kept = Object.fromEntries(scripts.map((name) => [name, manifest.scripts[name]]))
  writeFileSync(join(half, "package.json"), `${JSON.stringify({ ...rest, scripts: kept }, null, 2)}\n`)
  writeFileSync(
    join(half, releaseMark),
    `${JSON.stringify({ version: manifest.version, platform: process.platform, arch: process.arch })}\n`,
  )
  rmSync(folder, { recursive: true, force: true })
  renameSync(half, folder)
  return folder
}

/** What `launch.mjs` is made of: it runs before any program is bundled. */
function launchScripts(root: string): string[] {
  const folder = "lib/cli"
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".mjs"))
    .map((name) => `${folder}/${name}`)
}

/** What Next writes its root into; it starts from the working directory. */
const namesOfRoot = ["required-server-files.json", "required-server-files.js"]

function forgetRoot(file: string, root: string) {
  if (existsSync(file)) writeFileSync(file, readFileSync(file, "utf8").replaceAll(root, "."))
}

type Manifest = { version: string; scripts: Record<string, string>; devDependencies?: unknown }

function copy(root: string, half: string, path: string, wants: (below: string) => boolean) {
  const target = join(half, path)
  mkdirSync(dirname(target), { recursive: true })
  cpSync(join(root, path), target, {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
    filter: (source) => wants(source.slice(root.length + 1)),
  })
}
