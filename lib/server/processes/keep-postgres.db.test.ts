import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import pg from "pg"
import { afterEach, expect, test } from "vitest"
import { takePort } from "@/e2e/support/free-port"
import { keepRunning } from "@/lib/server/processes/run-all"
import { openPostgres } from "@/lib/platform/postgres/open"
import { readRecord } from "@/lib/platform/postgres/record"

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

test("a server that was killed is back at the same address with its data, and is the one that is closed at the end", async () => {
  const { first, kept, moves } = await keptServer()
  await ask(first.url, "CHECKPOINT")

  process.kill(first.pid, "SIGKILL")
  await expect.poll(() => first.isRunning(), { timeout: 10_000 }).toBe(false)
  const words = () => ask(first.url, "SELECT word FROM words").catch(() => [])
  await expect.poll(words, { timeout: 40_000, interval: 200 }).toEqual([{ word: "here" }])

  const last = await kept.stop()
  expect({ url: last.url, moves }).toEqual({ url: first.url, moves: [] })
  expect(last.pid === first.pid).toBe(false)
  expect(last.isRunning()).toBe(true)
  await last.close()
  expect(last.isRunning()).toBe(false)
}, 60_000)

test("a server whose port another program took meanwhile is back on another one, and its users are told where", async () => {
  const { first, kept, moves } = await keptServer()

  process.kill(first.pid, "SIGQUIT")
  closers.push(await takePort(Number(new URL(first.url).port)))
  await expect.poll(() => moves.length, { timeout: 40_000, interval: 200 }).toBe(1)
  expect(moves[0]).not.toBe(first.url)
  expect(await ask(moves[0] ?? "", "SELECT word FROM words")).toEqual([{ word: "here" }])
  expect((await kept.stop()).url).toBe(moves[0])
}, 60_000)

/** A server with a table of one row, and the addresses to which it moves. */
async function keptServer() {
  const dataDir = mkdtempSync(join(tmpdir(), "mailroom-kept-"))
  chmodSync(dataDir, 0o711)
  closers.push(() => remove(dataDir))
  const options = { dataDir, settings: { fsync: "off", shared_buffers: "16MB" } }
  const first = await openPostgres(options)
  const moves: string[] = []
  const kept = keepRunning(first, options, async (url) => void moves.push(url))
  closers.push(async () => (await kept.stop()).close())
  await ask(first.url, "CREATE TABLE words AS SELECT 'here' AS word")
  return { first, kept, moves }
}

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
