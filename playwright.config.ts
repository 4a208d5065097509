import { defineConfig, devices } from "@playwright/test"
import { headlessShell } from "./e2e/support/launch"

/** Start a product of their own, which takes a core for seconds: beside four browsers, pages of the one product answered late. */
const ownProducts = [
  "e2e/{cells,journey,own-domain,release}.spec.ts",
  "e2e/security/mounts.spec.ts",
  "e2e/bench/bench.spec.ts",
]
/**
 * Faults of products that the tests start for themselves. They wait for most of their time, for processes, a disk, retries, so they run
 * beside those above.
 */
const faults = "e2e/chaos/{full-disk,product-kill,returned-mail-kill}.spec.ts"

const projects = [
  {
    name: "product",
    testMatch: "e2e/**/*.spec.ts",
    testIgnore: ["e2e/security/canaries.spec.ts", "e2e/chaos/**", ...ownProducts],
  },
  { name: "own products", testMatch: ownProducts, dependencies: ["product"], workers: 2 },
  { name: "faults", testMatch: faults, dependencies: ["product"], workers: 2 },
  // Floods and measures: one at a time, and nothing beside them.
  {
    name: "chaos",
    testMatch: "e2e/chaos/*.spec.ts",
    testIgnore: faults,
    dependencies: ["own products", "faults"],
    workers: 1,
  },
  // Searches what all the others have left behind.
  { name: "last", testMatch: "e2e/security/canaries.spec.ts", dependencies: ["chaos"] },
]

/** With API_MOUNT=next Next serves the API, as in development: what is special to HTTP, once more, in the long run. */
const onNext = [
  "e2e/security/{answers,edge}.spec.ts",
  "e2e/{live,readme,faces}.spec.ts",
  "e2e/chaos/{idempotency,revoked-key,streams}.spec.ts",
]

export default defineConfig({
  testDir: ".",
  globalSetup: "./e2e/support/playwright-product.ts",
  // The suite drives one running product; four browsers side by side, which wait half of their time, are what two cores take.
  workers: 4,
  projects: process.env.API_MOUNT === "next" ? [{ name: "next mount", testMatch: onNext, workers: 1 }] : projects,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  // They end what hangs; a machine that is three times slower fails nothing.
  timeout: 240_000,
  expect: { timeout: 20_000 },
  outputDir: process.env.API_MOUNT === "next" ? "playwright-report/next-mount" : "test-results",
  use: {
    ...devices["Desktop Chrome"],
    viewport: { width: 1440, height: 900 },
    baseURL: process.env.E2E_BASE_URL || "http://localhost:4310",
    // What cannot be pressed or filled in fails with its name, not with the time of the whole test.
    actionTimeout: 30_000,
    screenshot: "only-on-failure",
    // Recording costs every test a third of its time: only when asked for, with TRACE=1.
    trace: process.env.TRACE ? "retain-on-failure" : "off",
    launchOptions: headlessShell,
  },
})
