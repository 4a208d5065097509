import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from "node:fs"
import { freemem, tmpdir } from "node:os"
import { dirname, join } from "node:path"
import pg from "pg"
import { onDebianPostgres, startDebianServer } from "@/e2e/support/debian-postgres"
import { migrate } from "@/lib/platform/database/migrations"
import { openPostgres } from "@/lib/platform/postgres/open"
import { readRecord } from "@/lib/platform/postgres/record"
import { runningPostmaster } from "@/lib/platform/postgres/users"

export type TestDatabase = { url: string; drop(): Promise<void> }

/** One PostgreSQL for a whole test run, in a folder of its own, with nothing made durable: with `TEST_POSTGRES=15` Debian's. */
export type TestServer = { url: string; stop(): Promise<void> }

const template = "mailroom_template"
const sharedMemory = "/dev/shm"
const roomBytes = 3 * 1024 ** 3
const prefix = "mailroom-test-"
const leftAfterMs = 600_000

const settings = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  shared_buffers: "64MB",
  max_wal_size: "256MB",
}

export async function startTestServer(): Promise<TestServer> {
  removeLeftovers()
  const dataDir = mkdtempSync(join(roomyFolder(), prefix))
  chmodSync(dataDir, 0o711)
  const server = await (onDebianPostgres() ? startDebianServer(dataDir, settings) : openPostgres({ dataDir, settings }))
  return {
    url: server.url,
    async stop() {
      if ("stop" in server) await server.stop()
      else await server.close()
      const dataFolder = readRecord(dataDir)?.dataFolder
      if (dataFolder && !dataFolder.startsWith(dataDir)) rmSync(dirname(dataFolder), { recursive: true, force: true })
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * In memory, where there is enough: each file's database is 700 files, and some file systems look for a place among all that
 * were deleted in the last minutes, which took half a second of processor a file.
 */
function roomyFolder(): string {
  return Math.min(freeBytes(sharedMemory), freemem()) > roomBytes ? sharedMemory : tmpdir()
}

/** What a run of this user that was killed has left in memory. */
function removeLeftovers() {
  for (const folder of foldersOf(sharedMemory)) {
    const { uid, mtimeMs } = statSync(folder)
    if (uid !== process.getuid?.() || Date.now() - mtimeMs < leftAfterMs) continue
    const record = readRecord(folder)
    const isRunning = record !== null && runningPostmaster(record.dataFolder) !== null
    if (!isRunning) rmSync(folder, { recursive: true, force: true })
  }
}

function foldersOf(parent: string): string[] {
  try {
    return readdirSync(parent)
      .filter((name) => name.startsWith(prefix))
      .map((name) => join(parent, name))
  } catch {
    return []
  }
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    // Only Linux has it.
    return 0
  }
}

/** Makes the migrated database that every test worker gets a copy of. */
export async function makeTemplate(serverUrl: string) {
  await ask(serverUrl, `create database ${template}`)
  await migrate(named(serverUrl, template))
  await turnRegionsOn(named(serverUrl, template))
}

/** As in an installation that has sent before: its regions send directly to others without a set-up. */
export async function turnRegionsOn(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `INSERT INTO setup_regions (region, next_check_at)
      SELECT region, now() + interval '1 day' FROM unnest(ARRAY['us-east-1', 'eu-west-1', 'af-south-1', 'ap-southeast-1']) AS region
      ON CONFLICT DO NOTHING`,
  )
  await client.end()
}

/** A migrated database of its own. Call `makeTemplate` first. */
export function freshDatabase(name: string, serverUrl = testServerUrl()): Promise<TestDatabase> {
  // Copied as files, which takes a third of the time of copying page by page.
  return make(serverUrl, name, `template ${template} strategy file_copy`)
}

/** A database without any table. */
export function emptyDatabase(name: string, serverUrl = testServerUrl()): Promise<TestDatabase> {
  return make(serverUrl, name, "template template0")
}

async function make(serverUrl: string, name: string, source: string): Promise<TestDatabase> {
  await ask(serverUrl, `drop database if exists ${name} with (force)`)
  await ask(serverUrl, `create database ${name} ${source}`)
  return {
    url: named(serverUrl, name),
    drop: () => ask(serverUrl, `drop database if exists ${name} with (force)`),
  }
}

async function ask(serverUrl: string, sql: string) {
  const client = new pg.Client({ connectionString: named(serverUrl, "postgres") })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

function named(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

function testServerUrl(): string {
  const url = process.env.TEST_SERVER_URL
  if (!url) throw new Error("TEST_SERVER_URL is set by the test set-up: run this through vitest.")
  return url
}
