import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { makeRelease } from "@/lib/cli/release"

test("a release holds what running needs, and neither packages of builds and development, nor the path of the sources, nor their secrets", () => {
  const root = mkdtempSync(join(tmpdir(), "mailroom-release-"))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const packages = {
    "": { dependencies: { a: "1", esbuild: "1" }, devDependencies: { dev: "1" } },
    "node_modules/a": { version: "1", optionalDependencies: { "@next/swc-linux-x64-gnu": "1" } },
    "node_modules/esbuild": { version: "1" },
    "node_modules/@next/swc-linux-x64-gnu": { version: "1" },
    "node_modules/dev": { version: "1", dev: true },
  }
  write("package.json", JSON.stringify({ version: "1", scripts: { start: "s", test: "t" }, devDependencies: {} }))
  write("package-lock.json", JSON.stringify({ packages }))
  write("node_modules/a/index.js", "a")
  write("node_modules/a/node_modules/stray/index.js", "not in the lock file")
  write("node_modules/dev/index.js", "dev")
  write("node_modules/esbuild/index.js", "makes bundles")
  write("node_modules/@next/swc-linux-x64-gnu/index.js", "makes pages")
  write("dist/start.js", "start")
  write("dist/build.js", "build")
  write(".next/BUILD_ID", "1")
  write(".next/cache/large", "x")
  write("lib/deploy/compose.yml", "services")
  write("lib/cli/Caddyfile", "mail.example.com")
  write("lib/deploy/.env", "SECRET_KEY=secret")
  write(".next/required-server-files.json", JSON.stringify({ appDir: root }))
  const folder = makeRelease(root)
  const has = (path: string) => existsSync(join(folder, path))
  expect(
    [
      "node_modules/a/index.js",
      "dist/start.js",
      ".next/BUILD_ID",
      "lib/deploy/compose.yml",
      "lib/cli/Caddyfile",
      "release.json",
    ].filter((path) => !has(path)),
  ).toEqual([])
  const left = [
    "node_modules/esbuild",
    "node_modules/@next",
    "node_modules/dev",
    "node_modules/a/node_modules",
    "dist/build.js",
    ".next/cache",
    "lib/deploy/.env",
    "dist/release",
  ]
  expect(left.filter(has)).toEqual([])
  expect(readFileSync(join(folder, ".next/required-server-files.json"), "utf8")).not.toContain(root)
  expect(JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))).toEqual({
    version: "1",
    scripts: { start: "s" },
  })
  rmSync(root, { recursive: true, force: true })
})
