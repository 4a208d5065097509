import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { install, isInstalled } from "./install.mjs"

type Entry = Record<string, unknown>

const packages: Record<string, Entry> = {
  "": { name: "mailroom", dependencies: { web: "1.0.0", prisma: "1.0.0" }, devDependencies: { checker: "1.0.0" } },
  "node_modules/web": {
    version: "1.0.0",
    dependencies: { parts: "2.0.0" },
    optionalDependencies: { "web-darwin": "1.0.0" },
    peerDependencies: { view: "*", checker: "*" },
    peerDependenciesMeta: { checker: { optional: true } },
  },
  "node_modules/web/node_modules/parts": { version: "2.0.0", dependencies: { leaf: "1.0.0" } },
  "node_modules/parts": { version: "1.0.0", dev: true },
  "node_modules/leaf": { version: "1.0.0" },
  "node_modules/view": { version: "1.0.0", peer: true },
  "node_modules/web-darwin": { version: "1.0.0", optional: true },
  "node_modules/prisma": { version: "1.0.0", dependencies: { leaf: "1.0.0", "@prisma/studio-core": "1.0.0" } },
  "node_modules/@prisma/studio-core": { version: "1.0.0" },
  // A dependency names it as an optional peer, so npm would install it without the other packages of development.
  "node_modules/checker": { version: "1.0.0", devOptional: true, dependencies: { parts: "1.0.0" } },
}

let root = ""
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "mailroom-install-"))
  write("package.json", JSON.stringify({ name: "mailroom", devDependencies: { checker: "1.0.0" } }))
  write("package-lock.json", JSON.stringify({ lockfileVersion: 3, packages }))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(file: string, text: string, folder = root) {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}

/** Installs what the lock file of the folder has, as npm does, but for packages of other machines. */
function npm(_: string[], folder: string) {
  const lock = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")) as {
    packages: Record<string, Entry>
  }
  const { "": _root, ...found } = lock.packages
  delete found["node_modules/web-darwin"]
  for (const path of Object.keys(found)) write(join(path, "index.js"), "", folder)
  write("node_modules/.package-lock.json", JSON.stringify({ packages: found }), folder)
  write("node_modules/web/index.js.map", "", folder)
  write("node_modules/leaf/query_compiler_small_bg.mysql.js", "", folder)
  write("node_modules/leaf/query_compiler_small_bg.postgresql.js", "", folder)
}

const has = (path: string) => existsSync(join(root, "node_modules", path))

test("what running needs is installed whole, without development, Prisma's studio and unused files", () => {
  expect(isInstalled(root, false)).toBe(false)
  install(root, false, npm)
  for (const path of ["web", "web/node_modules/parts", "leaf", "view", "prisma"])
    expect(has(`${path}/index.js`)).toBe(true)
  for (const path of ["checker", "parts", "@prisma/studio-core", "web/index.js.map"]) expect(has(path)).toBe(false)
  expect(has("leaf/query_compiler_small_bg.mysql.js")).toBe(false)
  expect(has("leaf/query_compiler_small_bg.postgresql.js")).toBe(true)
  expect(existsSync(join(root, "dist", "install"))).toBe(false)
  expect(isInstalled(root, false)).toBe(true)
})

test("tests install the rest, and with it running has all that it needs", () => {
  install(root, false, npm)
  expect(isInstalled(root, true)).toBe(false)
  install(root, true, npm)
  expect(has("checker/index.js")).toBe(true)
  expect(isInstalled(root, true)).toBe(true)
  expect(isInstalled(root, false)).toBe(true)
})

test("another version in the lock file is installed", () => {
  install(root, false, npm)
  const changed = { ...packages, "node_modules/leaf": { version: "1.0.1" } }
  write("package-lock.json", JSON.stringify({ packages: changed }))
  expect(isInstalled(root, false)).toBe(false)
})
