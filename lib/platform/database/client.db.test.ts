import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openDatabaseProxy, type DatabaseProxy } from "@/e2e/support/chaos/database-proxy"
import { figures } from "@/e2e/support/chaos/figures"
import { size } from "@/e2e/support/chaos/size"
import { connectMs, newClient } from "@/lib/platform/database/client"
import { closeDatabase, pool, transaction, unscoped } from "@/lib/platform/database/db"
import { isUnavailable } from "@/lib/platform/database/sql-errors"
import { listen } from "@/lib/platform/jobs/notifications"
import { env, provideEnv } from "@/lib/platform/env/env"

const direct = env().databaseUrl
const limits = { statement_timeout: 300 }
let proxy: DatabaseProxy
beforeAll(async () => {
  proxy = await openDatabaseProxy(direct)
})
afterAll(async () => {
  await closeDatabase()
  provideEnv({ DATABASE_URL: direct })
  await proxy.close()
})

const connected = async () => {
  const client = newClient(proxy.url, "test", limits)
  await client.connect()
  return client
}

/** How a statement ends that gets no answer: what it fails with, and when. */
async function ending(work: Promise<unknown>) {
  const startedAt = performance.now()
  const error: unknown = await work.then(
    () => null,
    (failed: unknown) => failed,
  )
  return { isUnavailable: isUnavailable(error), seconds: (performance.now() - startedAt) / 1_000 }
}

/** As a machine that is paused, or whose other guests have its processor. */
function standStill(ms: number) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

test("a statement, a COMMIT and what waits behind them end on our side when no answer comes, 2 s after the server's limit", async () => {
  const patient = newClient(direct, "test", limits)
  const [reading, writing, reset] = await Promise.all([connected(), connected(), connected(), patient.connect()])
  await reset.query("BEGIN; SET LOCAL statement_timeout = 60000")
  await reset.query("COMMIT")
  await writing.query("BEGIN; CREATE TABLE unheard (id int)")
  // It is silent for longer than that, as it has said.
  await patient.query("BEGIN; SET LOCAL statement_timeout = 10000")
  const slow = patient.query("SELECT pg_sleep(2.6)")

  proxy.swallow()
  const ended = [reading.query("SELECT 1"), reading.query("SELECT 2"), writing.query("COMMIT"), reset.query("SELECT 1")]
  for (const { isUnavailable: lost, seconds } of await Promise.all(ended.map(ending))) {
    expect(lost).toBe(true)
    expect(seconds, "2.3 s, and what a busy machine adds").toBeGreaterThan(2.2)
    expect(seconds).toBeLessThan(5)
  }
  const next = await ending(reading.query("SELECT 3"))
  expect(next.isUnavailable).toBe(true)
  expect(next.seconds, "at once").toBeLessThan(2)
  proxy.pass()
  await slow
  await Promise.all([reading, writing, reset, patient].map((client) => client.end()))
})

test("a process that stood still for longer reads the answer that came meanwhile, and loses neither statement nor connection", async () => {
  const client = newClient(direct, "test", limits)
  await client.connect()
  const asked = client.query<{ n: number }>("SELECT 1 AS n")
  await new Promise((sent) => setImmediate(sent))
  standStill(2_600)
  expect((await asked).rows).toEqual([{ n: 1 }])
  expect((await client.query<{ n: number }>("SELECT 2 AS n")).rows).toEqual([{ n: 2 }])
  await client.end()
})

test("a process that stands still for longer than it waits for a connection gets it all the same, alone and from the pool", async () => {
  await closeDatabase()
  const client = newClient(direct, "test", limits)
  const connecting = client.connect()
  const asked = Array.from({ length: 20 }, () => pool().query<{ n: number }>("SELECT 1 AS n"))
  standStill(connectMs + 300)
  await connecting
  const answers = await Promise.all(asked)
  expect(answers.map(({ rows }) => rows[0]?.n)).toEqual(Array.from({ length: 20 }, () => 1))
  await client.end()
})

describe.runIf(size(false, true))("the pool (long)", () => {
  beforeAll(async () => {
    await closeDatabase()
    provideEnv({ DATABASE_URL: proxy.url })
  })

  const works = [
    () => pool().query("SELECT 1"),
    () => transaction((client) => client.query("SELECT 1")),
    () => unscoped().installation.count(),
    () => unscoped().$transaction((tx) => tx.installation.count()),
  ]
  const all = () => Promise.all([...works, ...works, ...works].map((work) => ending(work())))

  test("connections that lead nowhere are replaced within 8 s, idle ones too, while new ones work", async () => {
    await all()
    proxy.swallow()
    proxy.pass()
    const startedAt = performance.now()
    const first = await all()
    expect(first.every(({ seconds }) => seconds <= 13)).toBe(true)
    const again = await all()
    expect(again.every((one) => !one.isUnavailable && one.seconds < 1)).toBe(true)
    expect(performance.now() - startedAt).toBeLessThan(15_000)
  })

  test("a black hole of 20 s: whoever asks hears within 13 s that the database is unavailable, and all is well within 10 s after", async () => {
    const heard: string[] = []
    const listening = listen("hole", (payload) => heard.push(payload))
    await all()
    proxy.swallow()
    const holeAt = performance.now()
    while (performance.now() - holeAt < 20_000) {
      const asked = await all()
      for (const { isUnavailable, seconds } of asked)
        expect({ isUnavailable, late: seconds > 13 }).toEqual({ isUnavailable: true, late: false })
    }
    proxy.pass()
    const passedAt = performance.now()
    while ((await all()).some((one) => one.isUnavailable)) expect(performance.now() - passedAt).toBeLessThan(10_000)
    while (!heard.includes("again")) {
      await pool().query("SELECT pg_notify('hole', 'again')")
      expect(performance.now() - passedAt).toBeLessThan(10_000)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    figures("a black hole of 20 s", { "ms until the database is back": performance.now() - passedAt })
    await listening.close()
  })
})
