import { rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { afterAll, beforeEach, inject } from "vitest"
import { freshDatabase } from "@/e2e/support/database"
import { handOutKeyPairs } from "@/e2e/support/key-pairs"
import { closeDatabase } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"
import { hourMs } from "@/lib/platform/time"

// Runs before each test file, which finds a database as fresh as its first: one of the process, made anew. What the file
// before has set in the environment, such as a relay, is gone, and so are the requests that were counted by address.
const shared = globalThis as { firstEnvironment?: Record<string, string>; mailroom?: Map<string, unknown> }
for (const counted of ["public requests", "failed credentials"]) shared.mailroom?.delete(counted)
const first = (shared.firstEnvironment ??= { ...(process.env as Record<string, string>) })
for (const name of Object.keys(process.env)) if (!(name in first)) delete process.env[name]

const serverUrl = inject("testServerUrl")
process.env.TEST_SERVER_URL = serverUrl
const name = `test_${process.pid}`
const { url } = await freshDatabase(name, serverUrl)
// The port is unique among the runs on this machine, so that none removes the files of another.
const dataDir = join(tmpdir(), "mailroom-tests", new URL(serverUrl).port, name)
rmSync(dataDir, { recursive: true, force: true })
provideEnv({ ...first, TEST_SERVER_URL: serverUrl, DATABASE_URL: url, DATA_DIR: dataDir })
handOutKeyPairs(inject("keyPairs"))

// The product counts by hours and days. No test begins just before an hour, so that what it writes and what it expects do not
// fall on two sides of it.
const beforeHourMs = 3_000
beforeEach(async () => {
  const leftMs = hourMs - (Date.now() % hourMs)
  if (leftMs < beforeHourMs) await setTimeout(leftMs)
})

// Hooks run last first, so this one comes after those of the file.
afterAll(closeDatabase)
