import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import pg from "pg"
import { afterEach, expect, test } from "vitest"
import { keepRunning } from "@/lib/server/processes/run-all"
import { openPostgres } from "@/lib/platform/postgres/open"
import { readRecord } from "@/lib/platform/postgres/record"

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

test("a server that was killed is back at the same address with its data, and is the one that is closed at the end", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "mailroom-kept-"))
  chmodSync(dataDir, 0o711)
  closers.push(() => remove(dataDir))
  const options = { dataDir, settings: { fsync: "off", shared_buffers: "16MB" } }
  const first = await openPostgres(options)
  const kept = keepRunning(first, options)
  closers.push(async () => (await kept.stop()).close())
  await ask(first.url, "CREATE TABLE words AS SELECT 'here' AS word")
  await ask(first.url, "CHECKPOINT")

  process.kill(first.pid, "SIGKILL")
  await expect.poll(() => first.isRunning(), { timeout: 10_000 }).toBe(false)
  const words = () => ask(first.url, "SELECT word FROM words").catch(() => [])
  await expect.poll(words, { timeout: 40_000, interval: 200 }).toEqual([{ word: "here" }])

  const last = await kept.stop()
  expect(last.url).toEqual(first.url)
  expect(last.pid === first.pid).toBe(false)
  expect(last.isRunning()).toBe(true)
  await last.close()
  expect(last.isRunning()).toBe(false)
}, 60_000)

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  client.on("error", () => undefined)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

function remove(dataDir: string) {
  const dataFolder = readRecord(dataDir)?.dataFolder
  if (dataFolder && !dataFolder.startsWith(dataDir)) rmSync(dirname(dataFolder), { recursive: true, force: true })
  rmSync(dataDir, { recursive: true, force: true })
}
