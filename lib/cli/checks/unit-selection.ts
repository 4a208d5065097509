import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { build } from "esbuild"

/** What each unit test file was when it last passed: its path, and a hash of all that it runs. */
type Passed = Record<string, string>

const memory = "node_modules/.cache/unit-tests.json"
/** Every test runs with them. */
const ofAllTests = ["package.json", "package-lock.json", "vitest.config.ts", "e2e/support/vitest-waits.ts"]
const folders = ["app", "components", "e2e", "lib", "prisma"]
const fileModules = /^(?:node:)?(?:fs|fs\/promises|child_process|worker_threads)$/
/**
 * Where one of these is imported, any file of the repository may be read, so a test that reaches it is run each time. What the
 * rest of the product opens while it runs is an installation's data.
 */
const opensSources = /\.test\.tsx?$|^e2e\/|^lib\/(?:cli|docs|server|platform\/database)\//

export type Selection = {
  /** The files to run: those that have changed, or reach what has, since they passed, and those that read files. */
  files: string[]
  of: number
  /** To call when all of `files` have passed. */
  remember(): void
}

/** Chooses the unit tests whose outcome may differ from the last one; `npm test` runs them all. */
export async function selectUnitTests(root = process.cwd()): Promise<Selection> {
  const tests = folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${String(name)}`),
    )
    .filter((file) => /\.test\.tsx?$/.test(file) && !/\.(?:db|slow)\.test\.tsx?$/.test(file))
  const graph = await importsOf(tests, root)
  const passed = readMemory(root)
  const now: Passed = {}
  const hashOf = hashes(root)
  const common = ofAllTests.map(hashOf).join()
  for (const test of tests) {
    const reached = reach(graph, test)
    if (reached.some((file) => graph.get(file)?.opensFiles)) continue
    now[test] = createHash("sha256")
      .update(process.version)
      .update(common)
      .update(reached.map(hashOf).join())
      .digest("hex")
  }
  return {
    files: tests.filter((test) => now[test] === undefined || now[test] !== passed[test]),
    of: tests.length,
    remember() {
      mkdirSync(dirname(join(root, memory)), { recursive: true })
      writeFileSync(join(root, memory), JSON.stringify(now))
    },
  }
}

/** For each file that a test reaches, what it imports, and whether it may open files of the repository. */
type Graph = Map<string, { imports: string[]; opensFiles: boolean }>

async function importsOf(tests: string[], root: string): Promise<Graph> {
  const { metafile } = await build({
    stdin: { contents: tests.map((file) => `import "./${file}"`).join("\n"), resolveDir: root },
    absWorkingDir: root,
    alias: { "@": root },
    bundle: true,
    packages: "external",
    external: ["mailroom:*"],
    platform: "node",
    format: "esm",
    outdir: "dist",
    write: false,
    metafile: true,
    treeShaking: false,
    logLevel: "silent",
  })
  return new Map(
    Object.entries(metafile.inputs).map(([file, { imports }]) => [
      file,
      {
        imports: imports.filter(({ external }) => !external).map(({ path }) => path),
        opensFiles: opensSources.test(file) && imports.some(({ path }) => fileModules.test(path)),
      },
    ]),
  )
}

/** The file and all that it imports, in order of name. */
function reach(graph: Graph, from: string): string[] {
  const seen = new Set([from])
  for (const file of seen) for (const path of graph.get(file)?.imports ?? []) seen.add(path)
  return [...seen].sort()
}

function hashes(root: string): (file: string) => string {
  const known = new Map<string, string>()
  return (file) => {
    const hash =
      known.get(file) ??
      createHash("sha256")
        .update(readFileSync(join(root, file)))
        .digest("hex")
    known.set(file, hash)
    return hash
  }
}

function readMemory(root: string): Passed {
  try {
    return JSON.parse(readFileSync(join(root, memory), "utf8")) as Passed
  } catch {
    // The first time, or what was broken off: all are run.
    return {}
  }
}
