import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { addVerifiedDomain } from "@/e2e/support/examples"
import { api, newWorld, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { announceWork } from "@/lib/platform/jobs/notifications"
import { runRepeatedly } from "@/lib/platform/jobs/leases"
import { Rest } from "@/lib/platform/jobs/quiet"
import { log } from "@/lib/platform/log"
import { runWatch, watchName } from "@/lib/worker/watch"

const stop = new AbortController()
let world: World
let watching: Promise<void>

beforeAll(async () => {
  vi.spyOn(log, "error").mockReturnValue()
  world = await newWorld()
  await addVerifiedDomain(world, "watched.test")
  watching = runWatch(stop.signal)
  await connected()
})

afterAll(async () => {
  stop.abort()
  await watching
})

test("what a process announces wakes every loop", async () => {
  const loop = await asleep("any")
  announceWork()
  expect(await loop.rested).toBe(true)
})

test("an accepted email wakes the worker after its commit", async () => {
  const loop = await asleep("any")
  const body = { from: "ada@watched.test", to: ["ben@example.com"], subject: "Hello", text: "Hello." }
  const { status } = await api("POST /v1/emails", { key: world.apiKey, body })
  expect(status).toBe(201)
  expect(await loop.rested).toBe(true)
})

test.each([
  ["deliveries eu-west-1", "UPDATE deliveries SET due_at = $1 WHERE project_id = $2"],
  ["scheduled release", "UPDATE emails SET due_at = $1 WHERE project_id = $2"],
  ["domain checks", "UPDATE domains SET due_at = $1 WHERE project_id = $2"],
  ["engagement pass", "UPDATE engagement_pass SET due_at = $1 WHERE $2::uuid IS NOT NULL"],
])("the loop for %s is woken when its row comes due, and not before", async (loop, statement) => {
  const { rows } = await pool().query<{ due: Date }>("SELECT clock_timestamp() + interval '700 milliseconds' AS due")
  const startedAt = performance.now()
  await pool().query(statement, [rows[0]?.due, world.projectId])
  const due = await asleep(loop)
  expect(await due.rested).toBe(true)
  const tookMs = performance.now() - startedAt
  expect(tookMs).toBeGreaterThan(600)
  expect(tookMs).toBeLessThan(5_000)
  await pool()
    .query(statement, [null, world.projectId])
    .catch(() => undefined)
})

test("a lost connection lets loops poll, and is opened again", async () => {
  const before = await connected()
  const loop = await asleep("any")
  await pool().query("SELECT pg_terminate_backend($1)", [before])
  expect(await loop.rested).toBe(true)
  await vi.waitFor(async () => expect(await connected()).not.toBe(before), { timeout: 20_000 })
  // A connection is there a moment before it listens.
  await vi.waitFor(
    async () => {
      const after = await asleep("any")
      announceWork()
      expect(await after.rested).toBe(true)
    },
    { timeout: 10_000 },
  )
})

test("nothing that is announced is slept through, while the connection is lost again and again", async () => {
  const ended = new AbortController()
  let lookedAt = 0
  const round = () => {
    lookedAt = performance.now()
    return Promise.resolve(false)
  }
  const loop = runRepeatedly({ name: "any", round, intervalMs: 1, signal: ended.signal })
  for (let turn = 0; turn < 12; turn++) {
    const cut = pool().query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1", [
      watchName,
    ])
    if (turn % 2) await cut
    const announcedAt = performance.now()
    announceWork()
    await vi.waitFor(() => expect(lookedAt).toBeGreaterThan(announcedAt), { timeout: 10_000 })
    await cut
    if (turn % 3 === 0) await connected()
  }
  ended.abort()
  await loop
}, 60_000)

/** A loop that rests until it is woken; false if that took 15 seconds. */
async function asleep(name: string): Promise<{ rested: Promise<boolean> }> {
  const loop = new Rest(name, stop.signal)
  // What other tests left is woken for first.
  await loop.pause(300)
  loop.look()
  const rested = loop.rest(1, 15_000).finally(() => loop.close())
  return { rested }
}

/** The process id of the watch's connection, once it is open and listens. */
async function connected(): Promise<number | undefined> {
  return vi.waitFor(
    async () => {
      const { rows } = await pool().query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND query <> '' AND query NOT LIKE 'SET%'",
        [watchName],
      )
      expect(rows).toHaveLength(1)
      return rows[0]?.pid
    },
    { timeout: 10_000, interval: 50 },
  )
}
