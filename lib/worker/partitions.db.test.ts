import { setTimeout as wait } from "node:timers/promises"
import { beforeEach, expect, test, vi } from "vitest"
import { measured } from "@/e2e/support/measured"
import { api } from "@/e2e/support/world"
import { newSending, type Sending } from "@/e2e/support/delivery/sending"
import { pool } from "@/lib/platform/database/db"
import { log } from "@/lib/platform/log"
import { withRival } from "@/e2e/support/platform/rival"
import { keepPartitions, monthsAhead } from "@/lib/worker/partition-sql"

let sender: Sending
const parents = ["events", "delivery_attempts", "api_key_requests"]

beforeEach(async () => {
  sender = await newSending()
  for (const parent of parents)
    for (const month of [1, 2, 3]) await pool().query(`DROP TABLE IF EXISTS ${nameOf(parent, month)}`)
})

test(
  "while pg_dump holds its locks a due partition is attached, and no send waits a second for it",
  measured,
  async () => {
    expect(await monthsAhead()).toBe(0)
    await withRival(async (dump) => {
      await dump.query(`BEGIN; LOCK TABLE ${parents.join(", ")}, emails, deliveries IN ACCESS SHARE MODE`)
      const sends = sendUntilStopped()
      await sends.going()
      await keepPartitions()
      const { statuses, slowestMs } = await sends.stop()
      expect([...new Set(statuses)]).toEqual([201])
      expect(slowestMs).toBeLessThan(1_000)
    })
    expect(await monthsAhead()).toBe(3)
  },
)

test("an attached partition takes the rows of its month, with every index of its table", async () => {
  await keepPartitions()
  await pool().query(
    "INSERT INTO events (id, project_id, type, data, occurred_at) VALUES (first_id_at(date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' + interval '45 days'), $1, 'sent', '{}', now())",
    [sender.projectId],
  )
  const { rows } = await pool().query(
    `SELECT count(*)::int AS indexes, (SELECT count(*)::int FROM pg_index WHERE indrelid = 'events'::regclass) AS wanted
      FROM pg_index i JOIN pg_inherits h ON h.inhrelid = i.indexrelid WHERE i.indrelid = $1::regclass`,
    [nameOf("events", 1)],
  )
  expect(rows[0].indexes).toBe(rows[0].wanted)
  expect((await pool().query(`SELECT 1 FROM ${nameOf("events", 1)}`)).rowCount).toBe(1)
})

test("what cannot have its lock is said and left, sends go on, and the next round makes it", async () => {
  const warn = vi.spyOn(log, "warn").mockImplementation(() => undefined)
  await withRival(async (vacuum) => {
    await vacuum.query("BEGIN; LOCK TABLE events IN SHARE UPDATE EXCLUSIVE MODE")
    const sends = sendUntilStopped()
    await sends.going()
    await keepPartitions()
    const { statuses, slowestMs } = await sends.stop()
    expect([...new Set(statuses)]).toEqual([201])
    expect(slowestMs < 1_000).toBe(true)
    expect(await monthsAhead()).toBe(0)
  })
  expect(warn.mock.calls.map(([fields]) => fields)).toEqual([{ months: 0 }])
  await keepPartitions()
  expect({ monthsAhead: await monthsAhead(), callCount: warn.mock.calls.length }).toEqual({
    monthsAhead: 3,
    callCount: 1,
  })
  warn.mockRestore()
})

test("a partition that has had its time and is in use stops no send, and is dropped later", async () => {
  await pool().query("SELECT ensure_partitions(now() - interval '15 months', now() - interval '14 months')")
  const old = nameOf("events", -15)
  await withRival(async (dump) => {
    await dump.query("BEGIN; LOCK TABLE events IN ACCESS SHARE MODE")
    const sends = sendUntilStopped()
    await sends.going()
    await keepPartitions()
    const { statuses, slowestMs } = await sends.stop()
    expect([...new Set(statuses)]).toEqual([201])
    expect(slowestMs < 1_000).toBe(true)
    expect(await exists(old)).toBe(true)
  })
  await keepPartitions()
  expect(await exists(old)).toBe(false)
})

function nameOf(parent: string, months: number): string {
  const now = new Date()
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1))
  return `${parent}_${month.toISOString().slice(0, 7).replace("-", "")}`
}

async function exists(name: string): Promise<boolean> {
  const { rows } = await pool().query("SELECT to_regclass($1) IS NOT NULL AS known", [name])
  return rows[0].known
}

/** One send after the other, as a caller makes them who stays within the limits. */
function sendUntilStopped() {
  const statuses: number[] = []
  let [stopped, slowestMs] = [false, 0]
  const body = { from: `hello@${sender.domain}`, to: ["ada@lovelace.example"], subject: "Hello", text: "Hi" }
  const sending = (async () => {
    while (!stopped) {
      const startedAt = performance.now()
      statuses.push((await api("POST /v1/emails", { key: sender.apiKey, body })).status)
      slowestMs = Math.max(slowestMs, performance.now() - startedAt)
      await wait(20)
    }
  })()
  return {
    going: () => vi.waitFor(() => expect(statuses.length).toBeGreaterThan(2), { interval: 5 }),
    async stop() {
      const sent = statuses.length
      await vi.waitFor(() => expect(statuses.length).toBeGreaterThan(sent + 2), { interval: 5, timeout: 20_000 })
      stopped = true
      await sending
      return { statuses, slowestMs }
    },
  }
}
