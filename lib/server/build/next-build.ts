import { type ChildProcess, spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { text } from "node:stream/consumers"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { type Coding, codings, compressedFile, staticFiles } from "@/lib/server/web/static-server"

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

/** The file by which a folder that `npm run build` made is known (`launch.mjs`): nothing is installed or built there. */
export const releaseMark = "release.json"

/**
 * Builds the pages unless the last build was made of the very same sources.
 * @returns whether there was something to do
 * @throws Error if the build fails, after Next's own output
 */
export async function buildPages(print: (sentence: string) => void, signal?: AbortSignal): Promise<boolean> {
  if (existsSync(releaseMark)) return false
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

/** Of 11: the last step takes two and a half times as long and saves another fiftieth. The reader of the reference alone would take two seconds. */
const brotliQuality = (bytes: number) => (bytes < 1_000_000 ? 10 : 5)

const compress: Record<Coding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: brotliQuality(bytes.length),
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
}

/** Compresses what the web server serves as files, once for all processes and requests. */
export async function compressStatic(root = process.cwd()): Promise<void> {
  const write = async (path: string, file: string, coding: Coding) => {
    const compressed = compressedFile(root, coding, path)
    await mkdir(dirname(compressed), { recursive: true })
    await writeFile(compressed, await compress[coding](await readFile(file)))
  }
  const shrinking = staticFiles(root).filter(({ shrinks }) => shrinks)
  await Promise.all(shrinking.flatMap(({ path, file }) => codings.map((coding) => write(path, file, coding))))
}
