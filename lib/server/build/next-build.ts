import { spawn, type ChildProcess } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { compressStatic } from "@/lib/server/build/compress-static"
import { fetchReference } from "@/lib/server/build/reference-bundle"

const sources = ["app", "components", "lib", "prisma/schema", "public"]
const configs = [
  "package-lock.json",
  "next.config.mjs",
  "postcss.config.mjs",
  "tsconfig.json",
  "proxy.ts",
  "instrumentation.ts",
]
const mark = join(".next", "mailroom-sources")

/**
 * Builds the pages unless the last build was made of the very same sources.
 * @returns whether there was something to do
 * @throws Error if the build fails, after Next's own output
 */
export async function buildPages(print: (sentence: string) => void, signal?: AbortSignal): Promise<boolean> {
  await fetchReference(print)
  const hash = sourcesHash()
  if (existsSync(join(".next", "BUILD_ID")) && existsSync(mark) && readFileSync(mark, "utf8") === hash) return false
  print("Building the pages (next build) …")
  rmSync(mark, { force: true })
  const next = createRequire(join(process.cwd(), "package.json")).resolve("next/dist/bin/next")
  const child = spawn(process.execPath, [next, "build"], {
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    stdio: ["ignore", "pipe", "pipe"],
    signal,
  })
  const [status, stdout, stderr] = await Promise.all([codeOf(child), text(child.stdout), text(child.stderr)])
  if (status !== 0) throw new Error(`next build failed:\n${stdout}${stderr}`)
  await compressStatic()
  writeFileSync(mark, hash)
  return true
}

function codeOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => child.once("error", reject).once("close", resolve))
}

/** One hash over path and content of everything that a build is made of; tests are not. */
export function sourcesHash(root = process.cwd()): string {
  const hash = createHash("sha256")
  const files = [...configs, ...sources.flatMap((folder) => filesBelow(root, folder))]
  for (const file of files.filter((path) => existsSync(join(root, path)))) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update("\0")
  }
  return hash.digest("hex")
}

function filesBelow(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath.slice(root.length + 1), entry.name))
    .sort()
}
