import { randomBytes } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { configDefaults, defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

const alias = { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") }
const exclude = [...configDefaults.exclude, ".next/**", "dist/**", "e2e/**/*.spec.ts"]
// Vite puts its own BASE_URL ("/") into the environment; ours is an origin.
const env = {
  NODE_ENV: "test" as const,
  LOG_LEVEL: "error",
  BASE_URL: "http://localhost:3000",
  SECRET_KEY: randomBytes(32).toString("base64"),
}

/** Tests that replace a module, or measure what their process takes: others of the same process would meet that. */
const inOwnProcess = ["lib", "e2e", "prisma"]
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => `${folder}/${String(name)}`))
  .filter((file) => /\.(?:db|slow)\.test\.ts$/.test(file))
  .filter((file) =>
    /\bvi\.(?:mock|doMock|hoisted|stubEnv)\(|\bprocess\.(?:cpu|memory)Usage\(/.test(readFileSync(file, "utf8")),
  )
const ownProcess = inOwnProcess.filter((file) => file.endsWith(".db.test.ts"))
const slowInOwnProcess = inOwnProcess.filter((file) => file.endsWith(".slow.test.ts"))

/** Nothing listens there: a test that reaches for the database fails at once. */
const withoutDatabase = { ...env, DATABASE_URL: "postgresql://nobody@127.0.0.1:1/none" }

const withDatabase = {
  env,
  globalSetup: ["e2e/support/vitest-server.ts"],
  setupFiles: ["e2e/support/vitest-database.ts"],
}

/** The slow tests first, since some wait for a quarter of a minute; the quick unit tests are last and fill the end. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    const isSlow = ({ project }: TestSpecification) => project.name.startsWith("slow")
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}

export default defineConfig({
  // React's JSX transform is what Next uses; components are tested without Next.
  oxc: { jsx: { runtime: "automatic" } },
  resolve: { alias },
  test: {
    // Two cores: tests of the database wait for half of their time.
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
    // What was transformed once is read again by the next run.
    experimental: { fsModuleCache: true },
    // They end what hangs; a machine that stands still for a while fails nothing.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    setupFiles: ["e2e/support/vitest-waits.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          // Pure tests share threads and what they have imported: half the time of a process a file.
          pool: "threads",
          isolate: false,
          include: ["**/*.test.ts", "**/*.test.tsx"],
          exclude: [...exclude, "**/*.db.test.ts", "**/*.slow.test.ts"],
          env: withoutDatabase,
        },
      },
      {
        extends: true,
        test: {
          // Processes, sockets, time limits and thousands of inputs: seconds each, so that `npm run check` goes without them.
          name: "slow",
          pool: "threads",
          isolate: false,
          include: ["**/*.slow.test.ts"],
          exclude: [...exclude, ...slowInOwnProcess],
          env: withoutDatabase,
        },
      },
      { extends: true, test: { name: "slow-isolated", include: slowInOwnProcess, exclude, env: withoutDatabase } },
      {
        extends: true,
        test: {
          name: "db",
          ...withDatabase,
          // A process imports the product once, not once a file: that was half of the time.
          isolate: false,
          include: ["**/*.db.test.ts"],
          exclude: [...exclude, ...ownProcess],
        },
      },
      {
        extends: true,
        test: { name: "db-isolated", ...withDatabase, include: ownProcess, exclude },
      },
    ],
  },
})
