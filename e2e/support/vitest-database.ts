import { rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inject } from "vitest"
import { freshDatabase } from "@/e2e/support/database"

// Runs before each test file, which finds a database as fresh as its first: one of the process, made anew.
const serverUrl = inject("testServerUrl")
process.env.TEST_SERVER_URL = serverUrl
const name = `test_${process.pid}`
const database = await freshDatabase(name, serverUrl)
process.env.DATABASE_URL = database.url
// The port is unique among the runs on this machine, so that none removes the files of another.
process.env.DATA_DIR = join(tmpdir(), "mailroom-tests", new URL(serverUrl).port, name)
rmSync(process.env.DATA_DIR, { recursive: true, force: true })
